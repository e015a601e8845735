// The bodies in motion: one pane per run, all seen by one camera and moved by one clock.

/** Frames of one body as 16-bit positions. Each was stored as its difference to the one before, low bytes first. */
async function readBody(body, frames) {
  const [bytes, triangles, segments] = await Promise.all([
    unpack(body.positions),
    unpack(body.triangles),
    unpack(body.segments),
  ]);
  const count = 3 * body.vertices;
  const values = new Uint16Array(count * frames);
  for (let i = 0; i < values.length; ++i)
    values[i] = bytes[i] + 256 * bytes[values.length + i] + (i >= count ? values[i - count] : 0);
  const scale = body.high.map((high, axis) => (high - body.low[axis]) / 65535);
  return {
    ...body,
    triangles: new Uint32Array(triangles.buffer),
    segments: new Uint32Array(segments.buffer),
    fill(frame, out) {
      for (let i = 0, from = count * frame; i < count; ++i) out[i] = body.low[i % 3] + scale[i % 3] * values[from + i];
    },
  };
}

/** What bodies run into, in its own frame; one pose per frame if it moves. */
async function readObstacle(obstacle) {
  const [vertices, triangles] = await Promise.all([unpack(obstacle.vertices), unpack(obstacle.triangles)]);
  return { ...obstacle, vertices: new Float32Array(vertices.buffer), triangles: new Uint32Array(triangles.buffer) };
}

/** How a shape of the viewport follows the frames of a recording. */
function followBody(THREE, body, index) {
  const xyz = new Float32Array(3 * body.vertices);
  body.fill(0, xyz);
  const tint = body.color ? `#${new THREE.Color(...body.color).getHexString()}` : color(index);
  const object = makeBody(THREE, { ...body, rest: xyz.slice() }, tint);
  const follow = (frame) => {
    body.fill(frame, xyz);
    object.userData.show(xyz);
  };
  return { object, follow };
}

function followObstacle(THREE, obstacle, box, colors) {
  const size = obstacle.vertices.length / obstacle.shapes; // of one that deforms: as many shapes as frames
  const shape = (frame) => {
    const first = size * Math.min(frame, obstacle.shapes - 1);
    return obstacle.vertices.subarray(first, first + size);
  };
  const object = makeObstacle(THREE, { ...obstacle, vertices: shape(0), pose: obstacle.poses[0] }, box, colors);
  const follow = (frame) => {
    object.userData.pose(obstacle.poses[Math.min(frame, obstacle.poses.length - 1)]);
    if (obstacle.shapes > 1) object.userData.show(shape(frame));
  };
  return { object, follow };
}

/** The stage of the viewport, with a pane per recording and the frames of all. */
class Theater extends Stage {
  constructor(THREE, OrbitControls, root) {
    super(THREE, OrbitControls, root);
    this.controls.addEventListener("change", () => this.draw());
    this.panes = [];
    this.row = 0;
  }

  async add(playback) {
    const bodies = await Promise.all(playback.bodies.map((body) => readBody(body, playback.frames.length)));
    const obstacles = await Promise.all(playback.obstacles.map(readObstacle));
    const label = document.createElement("div");
    label.className = "label";
    label.textContent = playback.label;
    if (playback.note) {
      const note = document.createElement("small");
      note.textContent = ` ${playback.note}`;
      label.append(note);
    }
    label.hidden = !playback.label;
    this.root.append(label);
    this.panes.push({ playback, bodies, obstacles, label });
  }

  /** Anew in the colors of the theme. */
  build() {
    const { THREE } = this;
    this.box.makeEmpty();
    const bounded = this.panes.filter((pane) => !pane.playback.note); // what flies apart must not shrink the rest
    for (const { playback } of bounded.length > 0 ? bounded : this.panes)
      this.box.union(new THREE.Box3(new THREE.Vector3(...playback.view[0]), new THREE.Vector3(...playback.view[1])));
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const colors = { sky: style("--sky"), floor: style("--floor"), line: style("--grid"), obstacle: style("--obstacle"), bounce: style("--bounce"), ambient: dark ? 1.5 : 1.9, sun: dark ? 2.2 : 2.5 };
    for (const pane of this.panes) {
      const hasFloor = pane.obstacles.some((obstacle) => obstacle.endless);
      pane.scene = makeScene(THREE, this.box, colors, hasFloor);
      pane.parts = [
        ...pane.bodies.map((body, index) => followBody(THREE, body, index)),
        ...pane.obstacles.map((obstacle) => followObstacle(THREE, obstacle, this.box, colors)),
      ];
      pane.scene.add(...pane.parts.map(({ object }) => object));
    }
    this.scenes = this.panes.map((pane) => pane.scene);
    this.show(this.row);
  }

  resetView() {
    this.frame();
    this.draw();
  }

  show(row) {
    this.row = row;
    for (const pane of this.panes)
      for (const { follow } of pane.parts) follow(Math.min(row, pane.playback.frames.length - 1));
    this.draw();
  }

  draw() {
    this.render();
    this.scenes.forEach((scene, index) => {
      const { left, top, width } = this.area(index);
      const { label } = this.panes[index];
      label.style.left = `${left}px`;
      label.style.top = `${top}px`;
      label.style.maxWidth = `${width}px`;
    });
  }
}

/** The clock: times of the longest run, played at the chosen speed, over and over. */
function addControls(stage) {
  const element = (id) => document.getElementById(id);
  const longest = data.playbacks.reduce((a, b) => (b.frames.length > a.frames.length ? b : a));
  const { times, frames } = longest;
  let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches && frames.length > 1;
  let time = times[0];
  let before = 0;
  element("scrubber").max = frames.length - 1;
  const show = (row) => {
    element("scrubber").value = row;
    element("clock").textContent = `frame ${frames[row]}   ${times[row].toFixed(3)} s`;
    if (row !== stage.row) stage.show(row);
  };
  const label = () => (element("play").textContent = playing ? "Pause" : "Play");
  const tick = (now) => {
    if (!playing) return;
    time += ((now - before) / 1000) * Number(element("speed").value);
    before = now;
    if (time > times.at(-1)) time = times[0];
    let row = stage.row;
    if (times[row] > time) row = 0;
    while (row + 1 < times.length && times[row + 1] <= time) ++row;
    show(row);
    requestAnimationFrame(tick);
  };
  const start = () => {
    before = performance.now();
    requestAnimationFrame(tick);
  };
  element("play").addEventListener("click", () => {
    playing = !playing;
    label();
    if (playing) start();
  });
  element("scrubber").addEventListener("input", () => {
    playing = false;
    label();
    time = times[element("scrubber").value];
    show(Number(element("scrubber").value));
  });
  element("view").addEventListener("click", () => stage.resetView());
  label();
  show(0);
  if (playing) start();
}

async function showPlayback() {
  if (!data.three) return;
  const three = moduleAddress(await unpackText(data.three.module));
  const THREE = await import(three);
  const { OrbitControls } = await import(moduleAddress(await unpackText(data.three.controls), { three }));
  const stage = new Theater(THREE, OrbitControls, document.getElementById("stage"));
  for (const playback of data.playbacks) await stage.add(playback);
  stage.build();
  stage.resize();
  stage.resetView();
  new ResizeObserver(() => {
    stage.resize();
    stage.draw();
  }).observe(stage.root);
  onThemeChange(() => stage.build());
  addControls(stage);
}
