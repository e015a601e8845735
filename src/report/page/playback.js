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

function makeObject(THREE, body, index) {
  const geometry = new THREE.BufferGeometry();
  const positions = new THREE.BufferAttribute(new Float32Array(3 * body.vertices), 3);
  geometry.setAttribute("position", positions);
  const tint = body.color ? new THREE.Color(...body.color) : color(index);
  let object;
  if (body.triangles.length > 0) {
    geometry.setIndex(new THREE.BufferAttribute(body.triangles, 1));
    const facets = body.kind === "solid" && body.triangles.length < 15000;
    const material = { color: tint, side: THREE.DoubleSide, flatShading: facets, roughness: 0.65, metalness: 0 };
    object = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial(material));
  } else if (body.segments.length > 0) {
    geometry.setIndex(new THREE.BufferAttribute(body.segments, 1));
    object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: tint }));
    object.add(new THREE.Points(geometry, new THREE.PointsMaterial({ color: tint, size: 7, sizeAttenuation: false })));
  } else {
    object = new THREE.Points(geometry, new THREE.PointsMaterial({ color: tint, size: 9, sizeAttenuation: false }));
  }
  object.traverse((part) => (part.frustumCulled = false));
  object.userData.show = (frame) => {
    body.fill(frame, positions.array);
    positions.needsUpdate = true;
    if (object.isMesh && !object.material.flatShading) geometry.computeVertexNormals();
  };
  return object;
}

/** Squares of a power of ten meters, of which a few span what moves. */
function makeGrid(THREE, box) {
  const width = Math.max(...box.getSize(new THREE.Vector3()).toArray(), 1e-6);
  const cell = 10 ** Math.round(Math.log10(width / 4));
  const grid = new THREE.GridHelper(cell * 20, 20, style("--soft"), style("--line"));
  grid.userData.cell = cell;
  return grid;
}

/** Below all that moves, where the scene has no plane of its own. */
function makeFloor(THREE, box) {
  const floor = makeGrid(THREE, box);
  const middle = box.getCenter(new THREE.Vector3());
  floor.position.set(middle.x, box.min.y, middle.z);
  return floor;
}

function poseMatrix(THREE, pose) {
  return new THREE.Matrix4().set(...pose, 0, 0, 0, 1);
}

/** The part of an endless plane that is near what moves. */
function makePlane(THREE, obstacle, box) {
  const plane = makeGrid(THREE, box);
  const { cell } = plane.userData;
  const middle = box.getCenter(new THREE.Vector3()).applyMatrix4(poseMatrix(THREE, obstacle.poses[0]).invert());
  const sheet = new THREE.Mesh(new THREE.PlaneGeometry(20 * cell, 20 * cell).rotateX(-Math.PI / 2), wall(THREE, 0.2));
  plane.add(sheet);
  plane.position.set(cell * Math.round(middle.x / cell), 0, cell * Math.round(middle.z / cell));
  const object = new THREE.Group();
  object.add(plane);
  return object;
}

/** Seen through, so that nothing hides behind it. */
function wall(THREE, opacity = 0.45) {
  const see = { transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide };
  return new THREE.MeshStandardMaterial({ color: style("--soft"), roughness: 0.9, ...see });
}

function makeObstacle(THREE, obstacle, box) {
  let object;
  let showShape = () => {};
  if (obstacle.endless) {
    object = makePlane(THREE, obstacle, box);
  } else {
    let geometry = new THREE.BufferGeometry();
    const size = obstacle.vertices.length / obstacle.shapes;
    const positions = new THREE.BufferAttribute(obstacle.vertices.slice(0, size), 3);
    geometry.setAttribute("position", positions);
    geometry.setIndex(new THREE.BufferAttribute(obstacle.triangles, 1));
    const deforms = obstacle.shapes > 1;
    if (obstacle.triangles.length < 100 && !deforms) geometry = geometry.toNonIndexed(); // a box has edges
    if (deforms)
      showShape = (frame) => {
        const first = size * Math.min(frame, obstacle.shapes - 1);
        positions.array.set(obstacle.vertices.subarray(first, first + size));
        positions.needsUpdate = true;
        geometry.computeVertexNormals();
      };
    geometry.computeVertexNormals();
    object = new THREE.Mesh(geometry, wall(THREE));
  }
  object.name = obstacle.name;
  object.matrixAutoUpdate = false;
  object.userData.show = (frame) => {
    object.matrix.copy(poseMatrix(THREE, obstacle.poses[Math.min(frame, obstacle.poses.length - 1)]));
    object.matrixWorldNeedsUpdate = true;
    showShape(frame);
  };
  return object;
}

class Stage {
  constructor(THREE, OrbitControls, root) {
    this.THREE = THREE;
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.render());
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
    this.box = new THREE.Box3();
    const bounded = this.panes.filter((pane) => !pane.playback.note); // what flies apart must not shrink the rest
    for (const { playback } of bounded.length > 0 ? bounded : this.panes)
      this.box.union(new THREE.Box3(new THREE.Vector3(...playback.view[0]), new THREE.Vector3(...playback.view[1])));
    for (const pane of this.panes) {
      pane.scene = new THREE.Scene();
      pane.scene.background = new THREE.Color(style("--stage"));
      pane.scene.add(new THREE.HemisphereLight("#ffffff", "#707a88", 1.6));
      const sun = new THREE.DirectionalLight("#ffffff", 2.2);
      sun.position.set(0.4, 1, 0.8);
      pane.scene.add(sun);
      pane.objects = [
        ...pane.bodies.map((body, index) => makeObject(THREE, body, index)),
        ...pane.obstacles.map((obstacle) => makeObstacle(THREE, obstacle, this.box)),
      ];
      pane.scene.add(...pane.objects);
      if (!pane.obstacles.some((obstacle) => obstacle.endless)) pane.scene.add(makeFloor(THREE, this.box));
    }
    this.show(this.row);
  }

  resetView() {
    const { THREE, camera } = this;
    const sphere = this.box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(sphere.radius, 1e-4);
    const [columns, rows] = this.layout();
    const aspect = this.root.clientWidth / columns / (this.root.clientHeight / rows);
    const distance = (radius * 1.05) / Math.sin(((camera.fov / 2) * Math.PI) / 180) / Math.min(1, aspect);
    camera.near = distance / 100;
    camera.far = distance * 100;
    camera.position.copy(sphere.center).addScaledVector(new THREE.Vector3(0.45, 0.35, 1).normalize(), distance);
    this.controls.target.copy(sphere.center);
    this.controls.update();
    this.render();
  }

  layout() {
    const wide = this.root.clientWidth / this.root.clientHeight;
    const columns = Math.min(this.panes.length, Math.ceil(Math.sqrt(this.panes.length * Math.max(1, wide / 1.6))));
    return [columns, Math.ceil(this.panes.length / columns)];
  }

  show(row) {
    this.row = row;
    for (const pane of this.panes) {
      const last = pane.playback.frames.length - 1;
      for (const object of pane.objects) object.userData.show(Math.min(row, last));
    }
    this.render();
  }

  resize() {
    this.renderer.setSize(this.root.clientWidth, this.root.clientHeight, false);
    this.render();
  }

  render() {
    if (!this.panes.length || !this.panes[0].scene) return;
    const [columns, rows] = this.layout();
    const width = this.root.clientWidth / columns;
    const height = this.root.clientHeight / rows;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setScissorTest(true);
    this.panes.forEach((pane, index) => {
      const left = (index % columns) * width;
      const top = Math.floor(index / columns) * height;
      this.renderer.setViewport(left, this.root.clientHeight - top - height, width - 1, height - 1);
      this.renderer.setScissor(left, this.root.clientHeight - top - height, width - 1, height - 1);
      this.renderer.render(pane.scene, this.camera);
      pane.label.style.left = `${left}px`;
      pane.label.style.top = `${top}px`;
      pane.label.style.maxWidth = `${width}px`;
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
  const stage = new Stage(THREE, OrbitControls, document.getElementById("stage"));
  for (const playback of data.playbacks) await stage.add(playback);
  stage.build();
  stage.resize();
  stage.resetView();
  new ResizeObserver(() => stage.resize()).observe(stage.root);
  onThemeChange(() => stage.build());
  addControls(stage);
}
