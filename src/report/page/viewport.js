// Bodies and what they run into as three.js shows them: for the player of reports and for the studio alike. Whoever calls
// brings the library along.

/** Corners that share a vertex share a normal, unless an edge of more than so many degrees lies between them. */
function splitAtEdges(triangles, rest, degrees = 55) {
  const faces = triangles.length / 3;
  const normals = new Float32Array(3 * faces);
  for (let f = 0; f < faces; ++f) {
    const [a, b, c] = [3 * triangles[3 * f], 3 * triangles[3 * f + 1], 3 * triangles[3 * f + 2]];
    const [ux, uy, uz] = [rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]];
    const [vx, vy, vz] = [rest[c] - rest[a], rest[c + 1] - rest[a + 1], rest[c + 2] - rest[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * f);
  }
  const cosine = Math.cos((degrees * Math.PI) / 180);
  const groups = new Map(); // of a vertex: its copies, each with the faces around it
  const index = new Uint32Array(triangles.length);
  const source = [];
  for (let corner = 0; corner < triangles.length; ++corner) {
    const f = 3 * Math.floor(corner / 3);
    const copies = groups.get(triangles[corner]) ?? groups.set(triangles[corner], []).get(triangles[corner]);
    const alike = (g) => normals[f] * normals[g] + normals[f + 1] * normals[g + 1] + normals[f + 2] * normals[g + 2] > cosine;
    let copy = copies.find((one) => one.faces.some(alike));
    if (!copy) {
      copy = { number: source.length, faces: [] };
      copies.push(copy);
      source.push(triangles[corner]);
    }
    copy.faces.push(f);
    index[corner] = copy.number;
  }
  return { index, source: Uint32Array.from(source) };
}

/** Means of the normals of the faces around, weighted by area. */
function updateNormals(index, xyz, normals) {
  normals.fill(0);
  for (let i = 0; i < index.length; i += 3) {
    const [a, b, c] = [3 * index[i], 3 * index[i + 1], 3 * index[i + 2]];
    const ux = xyz[b] - xyz[a], uy = xyz[b + 1] - xyz[a + 1], uz = xyz[b + 2] - xyz[a + 2];
    const vx = xyz[c] - xyz[a], vy = xyz[c + 1] - xyz[a + 1], vz = xyz[c + 2] - xyz[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    normals[a] += x, normals[a + 1] += y, normals[a + 2] += z;
    normals[b] += x, normals[b + 1] += y, normals[b + 2] += z;
    normals[c] += x, normals[c + 1] += y, normals[c + 2] += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    normals[i] /= length, normals[i + 1] /= length, normals[i + 2] /= length;
  }
}

/** Dark blue to yellow, evenly in lightness, in sRGB. [viridis, van der Walt & Smith 2015] */
const colorStops = [[0.267, 0.005, 0.329], [0.231, 0.322, 0.546], [0.128, 0.567, 0.551], [0.369, 0.789, 0.383], [0.993, 0.906, 0.144]];
export const colorBar = `linear-gradient(to right, ${colorStops.map((c) => `rgb(${c.map((v) => Math.round(255 * v))})`).join(", ")})`;

function colorOf(fraction, out, at) {
  const place = Math.min(Math.max(fraction, 0), 1) * (colorStops.length - 1);
  const i = Math.min(Math.floor(place), colorStops.length - 2);
  for (let k = 0; k < 3; ++k) {
    const value = colorStops[i][k] + (place - i) * (colorStops[i + 1][k] - colorStops[i][k]);
    out[at + k] = value ** 2.2; // to linear light
  }
}

function matter(THREE, tint, more = {}) {
  return new THREE.MeshStandardMaterial({ color: tint, roughness: 0.55, metalness: 0, side: THREE.DoubleSide, ...more });
}

/** Triangles that deform; `rest` tells where edges are sharp. */
function makeSurface(THREE, body, tint) {
  const { index, source } = splitAtEdges(body.triangles, body.rest, body.kind === "cloth" ? 181 : 55);
  const geometry = new THREE.BufferGeometry();
  const attribute = () => new THREE.BufferAttribute(new Float32Array(3 * source.length), 3).setUsage(THREE.DynamicDrawUsage);
  const positions = attribute();
  const normals = attribute();
  geometry.setAttribute("position", positions);
  geometry.setAttribute("normal", normals);
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  const object = new THREE.Mesh(geometry, matter(THREE, tint));
  object.userData.source = source;
  object.userData.show = (xyz) => {
    const out = positions.array;
    for (let i = 0; i < source.length; ++i) {
      const from = 3 * source[i];
      out[3 * i] = xyz[from], out[3 * i + 1] = xyz[from + 1], out[3 * i + 2] = xyz[from + 2];
    }
    updateNormals(index, out, normals.array);
    positions.needsUpdate = normals.needsUpdate = true;
    geometry.boundingSphere = geometry.boundingBox = null;
  };
  object.userData.paint = (values, scale) => {
    const painted = values !== null;
    if (painted && !geometry.getAttribute("color")) geometry.setAttribute("color", attribute());
    if (object.material.vertexColors !== painted) {
      object.material.vertexColors = painted;
      object.material.color.set(painted ? "#ffffff" : tint);
      object.material.needsUpdate = true;
    }
    if (!painted) return;
    const colors = geometry.getAttribute("color");
    for (let i = 0; i < source.length; ++i) colorOf(scale > 0 ? values[source[i]] / scale : 0, colors.array, 3 * i);
    colors.needsUpdate = true;
  };
  return object;
}

/** A tube along a curve: frames carried along it turn as little as they can. */
function makeTube(THREE, body, tint) {
  const around = 10;
  const { curve } = body;
  const geometry = new THREE.BufferGeometry();
  const positions = new THREE.BufferAttribute(new Float32Array(3 * around * curve.length), 3);
  const normals = new THREE.BufferAttribute(new Float32Array(3 * around * curve.length), 3);
  const index = [];
  for (let i = 0; i + 1 < curve.length; ++i)
    for (let k = 0; k < around; ++k) {
      const a = i * around + k, b = i * around + ((k + 1) % around);
      index.push(a, a + around, b, b, a + around, b + around);
    }
  geometry.setAttribute("position", positions);
  geometry.setAttribute("normal", normals);
  geometry.setIndex(index);
  const object = new THREE.Mesh(geometry, matter(THREE, tint));
  object.userData.source = Uint32Array.from({ length: around * curve.length }, (_, i) => curve[Math.floor(i / around)]);
  const [along, side, up, center, ahead, behind] = Array.from({ length: 6 }, () => new THREE.Vector3());
  object.userData.show = (xyz) => {
    side.set(0.31, 0.87, -0.4);
    for (let i = 0; i < curve.length; ++i) {
      center.fromArray(xyz, 3 * curve[i]);
      ahead.fromArray(xyz, 3 * curve[Math.min(i + 1, curve.length - 1)]);
      behind.fromArray(xyz, 3 * curve[Math.max(i - 1, 0)]);
      along.subVectors(ahead, behind).normalize();
      side.addScaledVector(along, -side.dot(along));
      if (side.lengthSq() < 1e-8) side.set(along.y, -along.x, 0.1).addScaledVector(along, -side.dot(along));
      side.normalize();
      up.crossVectors(along, side);
      for (let k = 0; k < around; ++k) {
        const [c, s] = [Math.cos((2 * Math.PI * k) / around), Math.sin((2 * Math.PI * k) / around)];
        const at = 3 * (i * around + k);
        for (const [n, axis] of ["x", "y", "z"].entries()) {
          normals.array[at + n] = c * side[axis] + s * up[axis];
          positions.array[at + n] = center[axis] + body.radius * normals.array[at + n];
        }
      }
    }
    positions.needsUpdate = normals.needsUpdate = true;
    geometry.boundingSphere = geometry.boundingBox = null;
  };
  object.userData.paint = () => {};
  return object;
}

/** Balls, and rods between them. */
function makeParticles(THREE, body, tint) {
  const count = body.rest.length / 3;
  const rods = body.segments.length / 2;
  const object = new THREE.Group();
  const balls = new THREE.InstancedMesh(new THREE.SphereGeometry(2.4 * body.radius, 24, 16), matter(THREE, tint), count);
  const rod = new THREE.CylinderGeometry(0.7 * body.radius, 0.7 * body.radius, 1, 10);
  const bars = new THREE.InstancedMesh(rod, matter(THREE, "#8a93a1"), rods);
  object.add(balls, bars);
  const [a, b, middle, size, matrix, turn] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Matrix4(), new THREE.Quaternion()];
  const up = new THREE.Vector3(0, 1, 0);
  object.userData.source = null;
  object.userData.show = (xyz) => {
    for (let i = 0; i < count; ++i) balls.setMatrixAt(i, matrix.makeTranslation(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]));
    for (let i = 0; i < rods; ++i) {
      a.fromArray(xyz, 3 * body.segments[2 * i]);
      b.fromArray(xyz, 3 * body.segments[2 * i + 1]);
      middle.addVectors(a, b).multiplyScalar(0.5);
      size.set(1, Math.max(a.distanceTo(b), 1e-9), 1);
      bars.setMatrixAt(i, matrix.compose(middle, turn.setFromUnitVectors(up, b.sub(a).normalize()), size));
    }
    balls.instanceMatrix.needsUpdate = bars.instanceMatrix.needsUpdate = true;
    balls.boundingSphere = bars.boundingSphere = null;
  };
  object.userData.paint = () => {};
  return object;
}

/**
 * A body: { kind, triangles, rest, segments, curve, radius }. Its `userData.show` takes positions, its `userData.paint`
 * a number per vertex and what counts as full scale, or null; `userData.source` tells the vertex behind each corner.
 */
export function makeBody(THREE, body, tint) {
  let object;
  if (body.curve.length > 1) object = makeTube(THREE, body, tint);
  else if (body.triangles.length > 0) object = makeSurface(THREE, body, tint);
  else object = makeParticles(THREE, body, tint);
  object.traverse((part) => {
    part.frustumCulled = false;
    part.castShadow = part.receiveShadow = true;
  });
  return object;
}

/** A floor of squares, a power of ten of meters each, that fades with the distance. */
function makeFloor(THREE, size, colors) {
  const cell = 10 ** Math.round(Math.log10(Math.max(size, 1e-9) / 5));
  const floor = new THREE.Group();
  const width = 60 * size;
  const sheet = new THREE.Mesh(
    new THREE.PlaneGeometry(width, width).rotateX(-Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: colors.floor, roughness: 0.95, metalness: 0 }),
  );
  sheet.receiveShadow = true;
  const grid = new THREE.GridHelper(40 * cell, 40, colors.line, colors.line);
  grid.position.y = 1e-4 * size;
  grid.material.transparent = true;
  grid.material.opacity = 0.55;
  grid.raycast = () => {}; // lines are a meter wide to those who pick
  floor.add(sheet, grid);
  floor.userData.cell = cell;
  return floor;
}

function poseMatrix(THREE, pose) {
  return new THREE.Matrix4().set(...pose, 0, 0, 0, 1);
}

/** What bodies run into: { endless, vertices, triangles, pose }; `userData.pose` takes the twelve numbers of a pose. */
export function makeObstacle(THREE, obstacle, box, colors) {
  let object;
  if (obstacle.endless) {
    const size = box.getSize(new THREE.Vector3()).length();
    const floor = makeFloor(THREE, size, colors);
    const middle = box.getCenter(new THREE.Vector3()).applyMatrix4(poseMatrix(THREE, obstacle.pose).invert());
    const { cell } = floor.userData;
    floor.position.set(cell * Math.round(middle.x / cell), 0, cell * Math.round(middle.z / cell));
    object = new THREE.Group();
    object.add(floor);
  } else {
    object = makeSurface(THREE, { ...obstacle, rest: obstacle.vertices, kind: "solid" }, colors.obstacle);
    object.userData.show(obstacle.vertices);
    object.castShadow = object.receiveShadow = true;
  }
  object.matrixAutoUpdate = false;
  object.userData.pose = (pose) => {
    object.matrix.copy(poseMatrix(THREE, pose));
    object.matrixWorldNeedsUpdate = true;
  };
  object.userData.pose(obstacle.pose);
  return object;
}

/** Lights and, where the scene has no floor of its own, one below all that it shows. */
export function makeScene(THREE, box, colors, hasFloor) {
  const scene = new THREE.Scene();
  const size = box.getSize(new THREE.Vector3()).length();
  const center = box.getCenter(new THREE.Vector3());
  scene.background = new THREE.Color(colors.sky);
  scene.fog = new THREE.Fog(colors.sky, 3.5 * size, 12 * size);
  scene.add(new THREE.HemisphereLight("#ffffff", colors.bounce, colors.ambient));
  const sun = new THREE.DirectionalLight("#fff6e8", colors.sun);
  sun.position.copy(center).addScaledVector(new THREE.Vector3(0.55, 1, 0.62).normalize(), 3 * size);
  sun.target.position.copy(center);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.radius = 5;
  sun.shadow.normalBias = 0.012 * size;
  Object.assign(sun.shadow.camera, { left: -1.1 * size, right: 1.1 * size, top: 1.1 * size, bottom: -1.1 * size, near: 0.5 * size, far: 6 * size });
  const rim = new THREE.DirectionalLight("#cfe2ff", 0.5 * colors.sun);
  rim.position.copy(center).add(new THREE.Vector3(-1, 0.45, -0.9).multiplyScalar(size));
  rim.target.position.copy(center);
  scene.add(sun, sun.target, rim, rim.target);
  if (!hasFloor) {
    const floor = makeFloor(THREE, size, colors);
    floor.position.set(center.x, box.min.y - 1e-3 * size, center.z);
    scene.add(floor);
  }
  return scene;
}

/** Panes side by side on one canvas, all seen by one camera. */
export class Stage {
  constructor(THREE, OrbitControls, root) {
    this.THREE = THREE;
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = 0.54 * Math.PI; // hardly below the floor
    this.scenes = [];
    this.box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  }

  /** So many columns and rows that panes are as large as they can be. */
  layout(count = this.scenes.length) {
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    let best = [1, Math.max(count, 1)];
    let largest = 0;
    for (let columns = 1; columns <= count; ++columns) {
      const rows = Math.ceil(count / columns);
      const size = Math.min(width / columns, height / rows);
      if (size > 1.05 * largest) [best, largest] = [[columns, rows], size];
    }
    return best;
  }

  /** Of pane `index`, in pixels from the top left. */
  area(index) {
    const [columns, rows] = this.layout();
    const [width, height] = [this.root.clientWidth / columns, this.root.clientHeight / rows];
    return { left: (index % columns) * width, top: Math.floor(index / columns) * height, width, height };
  }

  /** The nearest view in that direction that shows all of the box. */
  frame(direction = new this.THREE.Vector3(0.42, 0.3, 1)) {
    const { THREE, camera, box } = this;
    const { width, height } = this.area(0);
    camera.aspect = width / Math.max(height, 1);
    const center = box.getCenter(new THREE.Vector3());
    const back = direction.clone().normalize();
    const right = new THREE.Vector3(0, 1, 0).cross(back).normalize();
    const up = back.clone().cross(right);
    const slope = Math.tan((camera.fov * Math.PI) / 360);
    let distance = 1e-6;
    for (let corner = 0; corner < 8; ++corner) {
      const point = new THREE.Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z).sub(center);
      const reach = Math.max(Math.abs(point.dot(right)) / (slope * camera.aspect), Math.abs(point.dot(up)) / slope);
      distance = Math.max(distance, point.dot(back) + 1.04 * reach);
    }
    camera.near = distance / 100;
    camera.far = 60 * distance;
    camera.position.copy(center).addScaledVector(back, distance);
    this.controls.target.copy(center);
    this.controls.update();
  }

  resize() {
    this.renderer.setSize(this.root.clientWidth, this.root.clientHeight, false);
  }

  render() {
    const { renderer, camera } = this;
    renderer.setScissorTest(true);
    this.scenes.forEach((scene, index) => {
      const { left, top, width, height } = this.area(index);
      camera.aspect = width / Math.max(height, 1);
      camera.updateProjectionMatrix();
      const bottom = this.root.clientHeight - top - height;
      renderer.setViewport(left, bottom, width, height);
      renderer.setScissor(left, bottom, width, height);
      renderer.render(scene, camera);
    });
  }
}
