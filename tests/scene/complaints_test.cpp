/// Scenes that are not understood: each complaint word for word.
#include "scene/testing.h"

namespace brio {

class Complaints : public testing::SceneFile {};

TEST_F(Complaints, AboutFilesThatAreNotScenes) {
  EXPECT_THROW(load_scene(folder / "nowhere.toml"), InputError);
  EXPECT_THROW(load_scene(folder), InputError);
  EXPECT_EQ(complaint("").substr(0, 30), "s.toml: time: a scene needs a ");
  EXPECT_EQ(complaint("[time]\nh = 1\n"), "s.toml: body: a scene needs at least one [[body]]");
  EXPECT_EQ(complaint("title = 'x'\na = [1, \n").substr(0, 18), "s.toml:2: not TOML");
  EXPECT_EQ(complaint("title = 1979-05-27\n"), "s.toml:1: title: must not be a date or time");
  EXPECT_EQ(complaint(std::string(10000, '[')),
            "s.toml:1: keys, tables and arrays nest deeper than 32; no key of a scene lies so deep");
}

/// The stack and the memory are those of who reads the scene, not of who wrote it.
TEST_F(Complaints, AboutNestingWithoutEnd) {
  const auto times = [](int count, const std::string& text) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string deep = "keys, tables and arrays nest deeper than 32; no key of a scene lies so deep";
  constexpr int many = 200000;
  for (const std::string& text :
       {times(many, "a.") + "a = 1", "[" + times(many, "a.") + "a]", "[[" + times(many, "'a'. ") + "a]]",
        "a = " + times(many, "["), "a = " + times(many, "{ a = "), "a = " + times(many, "{ a.a.a = [1, "),
        "a = \"\"\"x\"\"\"\"\" # [\n" + times(many, "\"\\\".\".")})
    EXPECT_NE(complaint("title = 'a.b'\n" + text).find(deep), std::string::npos) << text.substr(0, 40);
  EXPECT_EQ(complaint(minimal(""), {{.path = times(many, "a.") + "a", .value = "1", .origin = "--set"}}),
            "--set: " + times(30, "a.") + "…: nests deeper than 32; no key of a scene lies so deep");
  EXPECT_NE(complaint(minimal(""), {{.path = "title", .value = times(many, "["), .origin = "--set"}}), "");
  EXPECT_EQ(complaint("[" + std::string(5000, 'k') + "]\na = 1\n").substr(70),
            "…: a key of 5000 characters, the tables around it included: at most 200");
  EXPECT_EQ(complaint("a = [" + times(1'100'000, "[],") + "]"),
            "s.toml:1: holds more than 1000000 values; keep meshes in files");
}

/// TOML has no letters beyond ASCII outside quotes; to the parser they were undefined behavior.
TEST_F(Complaints, AboutLettersBeyondAsciiOutsideQuotes) {
  const std::string words = ": a letter or blank beyond ASCII stands outside quotes; put quotes around the text or key";
  EXPECT_EQ(complaint("gravity = [0, 0, \u0419\n"), "s.toml:1" + words);
  EXPECT_EQ(complaint("title = 'a'\ngr\u00f6\u00dfe = 1\n"), "s.toml:2" + words);
  EXPECT_EQ(complaint("title =\u00a0'a'\n"), "s.toml:1" + words);
  EXPECT_EQ(complaint("\xff"), "s.toml:1" + words);
  EXPECT_EQ(complaint("\uFEFFtitle = \"\u0419\" # \u0419\n" + minimal("")), "no complaint");
}

TEST_F(Complaints, NothingThatNestsWithinReasonIsRefused) {
  EXPECT_EQ(complaint(minimal("name = '[[[[' # {{{{\n") + "title = 'x'").find("nest"), std::string::npos);
  std::string lists = "a = [";
  for (int i = 0; i < 1000; ++i) lists += "[[0.5, 1.5], { b.c = '.', d = \"\\\"[\" }],\n# [[\n";
  EXPECT_EQ(complaint(lists + "]\n").find("nest"), std::string::npos);
}

TEST_F(Complaints, AboutKeysThatAreUnknownOrNotYetThere) {
  EXPECT_EQ(complaint("titel = 'x'\n"), "s.toml:1: titel = \"x\": unknown key; did you mean 'title'?");
  EXPECT_EQ(body_complaint("colour = 3"), "s.toml:5: body[0].colour = 3: unknown key; did you mean 'color'?");
  EXPECT_EQ(
      body_complaint("wobbliness = 3"),
      "s.toml:5: body[0].wobbliness = 3: unknown key; known keys: name, kind, position, scale, velocity, spin, "
      "color, mesh, rotate, deform, pin, attach, push, wind, constrain, copies, spacing, mass, density, material");
  EXPECT_EQ(body_complaint("stretch = 3"),
            "s.toml:5: body[0].stretch = 3: a solid has no such key; it belongs to kind = \"cloth\"");
  EXPECT_EQ(complaint(minimal("") + "[[collider]]\nshape = 'plain'\n"),
            "s.toml:7: collider[0].shape = \"plain\": no such shape; did you mean 'plane'?");
  EXPECT_EQ(complaint(minimal("") + "[[collider]]\nshape = 'plane'\nradius = 1\n").substr(0, 50),
            "s.toml:8: collider[0].radius = 1: unknown key; kno");
  EXPECT_EQ(complaint(minimal("") + "[[collider]]\nshape = 'plane'\nbodies = ['x']\n"),
            "s.toml:8: collider[0].bodies[0] = \"x\": no such body; known: body0");
  EXPECT_EQ(complaint(minimal("") + "[integrator]\nname = 'afv'\n"),
            "s.toml:7: integrator.name = \"afv\": not available in this version; did you mean 'avf'?");
  EXPECT_EQ(complaint(minimal("") + "[integrator]\nname = 'cromer'\nepsilon = 1\n"),
            "s.toml:8: integrator.epsilon = 1: unknown key; known keys: name");
  EXPECT_EQ(complaint(minimal("") + "[output]\nformats = ['pc2', 'usd']\n"),
            "s.toml:7: output.formats[1] = \"usd\": unknown format; did you mean 'usda'?");
  EXPECT_EQ(complaint(minimal("") + "[output]\nformats = ['mp4video']\n"),
            "s.toml:7: output.formats[0] = \"mp4video\": unknown format; choose from pc2, usda, gltf, vtu, obj, ply");
  EXPECT_EQ(complaint(minimal("") + "[output]\nformat = ['pc2']\n"),
            "s.toml:7: output.format = [\"pc2\"]: unknown key; did you mean 'formats'?");
  EXPECT_EQ(complaint(minimal("") + "[output]\nformats = 'pc2'\n"),
            "s.toml:7: output.formats = \"pc2\": must be a list of texts");
}

TEST_F(Complaints, AboutDamping) {
  const auto damping = [&](const std::string& keys) { return complaint(minimal("") + "[[damping]]\n" + keys + "\n"); };
  EXPECT_EQ(damping("name = 'raleigh'"),
            "s.toml:7: damping[0].name = \"raleigh\": no such damping; did you mean 'rayleigh'?");
  EXPECT_EQ(damping("stiffness = 1"),
            "s.toml:6: damping[0] = { stiffness = 1 }: needs a name; for example name = \"rayleigh\"");
  EXPECT_EQ(damping("name = 'rayleigh'\nstiffness = -1"), "s.toml:8: damping[0].stiffness = -1: must be >= 0");
  EXPECT_EQ(damping("name = 'momentum-preserving'\nper_step = 2"),
            "s.toml:8: damping[0].per_step = 2: must be in [0, 1]");
  EXPECT_EQ(damping("name = 'drag'\nrate = 2"), "s.toml:8: damping[0].rate = 2: unknown key; known keys: coefficient");
}

TEST_F(Complaints, AboutMotionAndForces) {
  EXPECT_EQ(body_complaint("pin = { select = { vertex = 0 }, path = [[0, [0, 1]]] }"),
            "s.toml:5: body[0].pin.path[0][1] = [0, 1]: must be a list of [time, [x, y, z]]");
  EXPECT_EQ(body_complaint("attach = { select = { vertex = 0 }, path = [[1, [0, 1, 0]], [0, [0, 1, 0]]] }"),
            "s.toml:5: body[0].attach.path[1] = [0, [0, 1, 0]]: times must ascend");
  EXPECT_EQ(body_complaint("attach = { select = { vertex = 0 }, release = -1 }"),
            "s.toml:5: body[0].attach.release = -1: must be >= 0");
  EXPECT_EQ(body_complaint("attach = { select = { vertex = 0 }, axis = [1, 0, 0] }"),
            "s.toml:5: body[0].attach.axis = [1, 0, 0]: is of no use without turn");
  EXPECT_EQ(body_complaint("attach = { select = { vertex = 0 }, pth = [[0, [0, 1, 0]], [1, [0, 1, 0]]] }"),
            "s.toml:5: body[0].attach.pth = [[0, [0, 1, 0]], [1, [0, 1, 0]]]: unknown key; did you mean 'path'?");
  EXPECT_EQ(body_complaint("pin = { select = { vertex = 0 }, path = [[0, [0, inf, 0]], [1, [0, 1, 0]]] }"),
            "s.toml:5: body[0].pin.path[0] = [0, [0, inf, 0]]: must be finite");
  EXPECT_EQ(body_complaint("attach = { select = { vertex = 0 }, turn = [[0, 0], [1, nan]] }"),
            "s.toml:5: body[0].attach.turn[1] = [1, nan]: must be finite");
  EXPECT_EQ(body_complaint("push = { select = { vertex = 0 }, force = [[0, [1, 0, 0]], [inf, [1, 0, 0]]] }"),
            "s.toml:5: body[0].push.force[1] = [inf, [1, 0, 0]]: must be finite");
  EXPECT_EQ(body_complaint("push = { select = { vertex = 0 } }").substr(0, 59),
            "s.toml:5: body[0].push = { select = { vertex = 0 } }: needs");
  EXPECT_EQ(body_complaint("wind = { period = 0 }"), "s.toml:5: body[0].wind.period = 0: must be > 0");
  EXPECT_EQ(body_complaint("constrain = { kind = 'distanc' }"),
            "s.toml:5: body[0].constrain.kind = \"distanc\": no such constraint; did you mean 'distance'?");
  EXPECT_EQ(body_complaint("constrain = { kind = 'point', vertex = 999 }"),
            "s.toml:5: body[0].constrain.vertex = 999: the body has no such vertex");
  EXPECT_EQ(body_complaint("constrain = { kind = 'point', length = 1 }").substr(0, 52),
            "s.toml:5: body[0].constrain.length = 1: unknown key;");
}

TEST_F(Complaints, AboutVerticesThatAreHeldTwiceWhereOneHoldMoves) {
  const std::string driven = "path = [[0, [-0.5, -0.5, -0.5]], [1, [-0.5, 0.5, -0.5]]]";
  const std::string held = "select = { vertex = 0 }";
  const std::string problem =
      "body0.attach = vertex 0: is pinned and held by springs, of which one is driven: they would pull against each "
      "other for ever; select each vertex for pin or for attach, not for both";
  EXPECT_EQ(body_complaint("pin = { " + held + ", " + driven + " }\nattach = { " + held + " }"),
            "s.toml:6: " + problem);
  EXPECT_EQ(body_complaint("pin = { " + held + " }\nattach = { " + held + ", " + driven + " }"),
            "s.toml:6: " + problem);
  EXPECT_EQ(body_complaint("pin = { " + held + " }\nattach = { " + held + " }"), "no complaint");
}

TEST_F(Complaints, AboutTime) {
  const auto time = [&](const std::string& keys) { return complaint("[time]\n" + keys + "\n"); };
  EXPECT_EQ(time("h = 0"), "s.toml:2: time.h = 0: must be > 0");
  EXPECT_EQ(time("h = nan"), "s.toml:2: time.h = nan: must be > 0");
  EXPECT_EQ(time("h = 'x'"), "s.toml:2: time.h = \"x\": must be a number [s]");
  EXPECT_EQ(time("h = 1\nframes = -1"), "s.toml:3: time.frames = -1: must be in [0, 1000000000]");
  EXPECT_EQ(time("h = 1\nframes = 1.5"), "s.toml:3: time.frames = 1.5: must be a whole number");
  EXPECT_EQ(time("frames = 1"), "s.toml:1: time = { frames = 1 }: give h, or fps");
  EXPECT_EQ(time("h = 0.03\nfps = 25"),
            "s.toml:2: time.h = 0.03: a frame of 1/25 s must be a whole number of steps; h = 0.04 gives 1 per frame");
  EXPECT_EQ(time("h = 1e-320\nfps = 25").substr(0, 60), "s.toml:2: time.h = 1e-320: a frame of 1/25 s must be a whole");
  EXPECT_EQ(time("h = 1\nfps = 1\nsubsteps = 1"),
            "s.toml:2: time.h = 1: follows from fps and substeps; leave one of the three out");
}

TEST_F(Complaints, AboutMeshes) {
  const auto mesh = [&](const std::string& text) { return body_complaint("", text); };
  EXPECT_EQ(complaint("[time]\nh = 1\n[[body]]\nname = 'b'\n"),
            "s.toml:3: body[0] = { name = \"b\" }: needs a mesh; for example mesh = { generate = \"bar\" }");
  EXPECT_EQ(mesh("{ }"), "s.toml:4: body[0].mesh = {}: needs one of generate, file, model");
  EXPECT_EQ(mesh("{ generate = 'cub' }").substr(0, 56), "s.toml:4: body[0].mesh.generate = \"cub\": must be one of ");
  EXPECT_EQ(mesh("{ generate = 'cube', cell = 3 }"),
            "s.toml:4: body[0].mesh.cell = 3: unknown key; did you mean 'cells'?");
  EXPECT_EQ(mesh("{ generate = 'cube', cells = 1000000 }").substr(0, 25), "s.toml:4: cells: would ma");
  EXPECT_EQ(mesh("{ file = 'x.msh' }"), "s.toml:4: body[0].mesh.file = \"x.msh\": no such file");
  EXPECT_NE(mesh("{ model = 'bunnny' }").find("did you mean 'bunny'?"), std::string::npos);
  write("points.obj", "v 0 0 0\n");
  EXPECT_NE(mesh("{ file = 'points.obj' }").find("has no tetrahedra, triangles or segments"), std::string::npos);
}

TEST_F(Complaints, AboutBodies) {
  EXPECT_EQ(body_complaint("material = { name = 'stvk', young = 1, poisson = 0.7 }"),
            "s.toml:5: body[0].material.poisson = 0.7: must be in (-1, 0.5)");
  EXPECT_EQ(body_complaint("material = { name = 'stvk', young = 5e-324, poisson = 0.3 }"),
            "s.toml:5: body[0].material.young = 5e-324: gives mu = 0 Pa and lambda = 0 Pa, which must be finite, mu "
            "> 0 and lambda > -2/3 mu");
  EXPECT_EQ(body_complaint("material = { name = 'stvk', young = 1, poisson = -0.9999999999999998 }").substr(0, 61),
            "s.toml:5: body[0].material.poisson = -0.9999999999999998: giv");
  EXPECT_EQ(body_complaint("mass = 5e-324").substr(0, 46), "s.toml:3: body0.mass = 0 kg: at vertex 0: a ma");
  EXPECT_EQ(body_complaint("material = { name = 'stvk', nu = 0.3 }").substr(0, 49),
            "s.toml:5: body[0].material.nu = 0.3: unknown key;");
  EXPECT_EQ(body_complaint("mass = -1"), "s.toml:5: body[0].mass = -1: must be > 0");
  EXPECT_EQ(body_complaint("mass = 1\ndensity = 1"), "s.toml:6: body[0].density = 1: give mass or density, not both");
  EXPECT_EQ(body_complaint("position = [1, 2]"),
            "s.toml:5: body[0].position = [1, 2]: must be a list of 3 numbers [m]");
  EXPECT_EQ(body_complaint("position = { x = 1 }"),
            "s.toml:5: body[0].position = { x = 1 }: must be a single value or a list of numbers");
  EXPECT_EQ(body_complaint("kind = 'jelly'"),
            "s.toml:5: body[0].kind = \"jelly\": must be one of solid, cloth, wire, particles");
  EXPECT_EQ(body_complaint("kind = 'cloth'"), "s.toml:3: body0.mesh: a cloth needs triangles");
  EXPECT_EQ(body_complaint("rotate = { axis = [0, 0, 0], degrees = 1 }").substr(0, 24), "s.toml:5: body[0].rotate");
  EXPECT_EQ(body_complaint("name = 'a'\n[[body]]\nname = 'a'\nmesh = { generate = 'cube' }"),
            "s.toml:7: body[1].name = \"a\": is taken");
}

TEST_F(Complaints, AboutSelections) {
  const auto select = [&](const std::string& text) { return body_complaint("pin = [{ select = " + text + " }]"); };
  EXPECT_EQ(body_complaint("pin = [{}]"), "s.toml:5: body[0].pin[0] = {}: needs select");
  EXPECT_EQ(body_complaint("pin = [{ select = { vertex = 0 }, stiffness = 1 }]"),
            "s.toml:5: body[0].pin[0].stiffness = 1: unknown key; known keys: select, path, turn, axis, pivot, "
            "interpolate");
  EXPECT_EQ(body_complaint("pin = 3"), "s.toml:5: body[0].pin = 3: must be a list of tables");
  EXPECT_EQ(select("{ box = [[2, 2, 2], [3, 3, 3]] }"),
            "s.toml:5: body[0].pin[0].select.box = [[2, 2, 2], [3, 3, 3]]: selects no vertex; the body has 8 vertices "
            "in [-0.5, -0.5, -0.5] to [0.5, 0.5, 0.5]");
  EXPECT_EQ(select("{ box = [[1, 1, 1], [0, 0, 0]] }").substr(38),
            "[[1, 1, 1], [0, 0, 0]]: the first corner must not exceed the second");
  EXPECT_EQ(select("{ box = 3 }"),
            "s.toml:5: body[0].pin[0].select.box = 3: must be two corners [[x, y, z], [x, y, z]] [m]");
  EXPECT_EQ(select("{ sphere = [[0, 0, 0], -1] }"), "s.toml:5: body[0].pin[0].select.sphere[1] = -1: must be >= 0");
  EXPECT_EQ(select("{ vertex = 8 }"), "s.toml:5: body[0].pin[0].select.vertex = 8: no such vertex; the mesh has 8");
  EXPECT_EQ(select("{ vertices = [0.5] }"),
            "s.toml:5: body[0].pin[0].select.vertices = [0.5]: must hold whole numbers, counted from 0");
  EXPECT_EQ(select("{ spere = 1 }"), "s.toml:5: body[0].pin[0].select.spere = 1: unknown key; did you mean 'sphere'?");
  EXPECT_NE(select("{ vertex = 0, boundary = true }").find("must hold one way to select; one of box"),
            std::string::npos);
  EXPECT_EQ(select("{ boundary = false }"),
            "s.toml:5: body[0].pin[0].select.boundary = false: must be true, or left out");
}

TEST_F(Complaints, AboutOverrides) {
  const auto set = [&](const std::string& path, const std::string& value) {
    return complaint(minimal(""), {{path, value, "--set"}});
  };
  EXPECT_EQ(set("body[0].mass", "-1"), "--set: body[0].mass = -1: must be > 0");
  EXPECT_EQ(set("body[1].mass", "1"), "--set: body[1].mass = 1: there is no body[1]");
  EXPECT_EQ(set("body[x].mass", "1"), "--set: body[x].mass = 1: not a key path such as body[0].material.mu");
  EXPECT_EQ(set("", "1"), "--set: '1': not a key path such as body[0].material.mu");
  EXPECT_EQ(set("title", "\xff").substr(0, 17), "--set:1: not TOML");
  EXPECT_EQ(set("time.h.x", "1"), "--set: time.h.x = 1: time.h is not a table");
  EXPECT_EQ(set("time.hh", "1"), "--set: time.hh = 1: unknown key; did you mean 'h'?");
}

}  // namespace brio
