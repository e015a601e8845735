"""Reads animation.pvd and its frames with VTK and holds every array against what was recorded in frames.bin: points
and velocities bit for bit, strain energy density and von Mises stress of the solid against St. Venant and Kirchhoff's
law worked out here.

    python3 read_vtu.py RUN_FOLDER
"""
import csv
import os
import struct
import sys
import xml.etree.ElementTree as tree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

young, poisson = 2e4, 0.3  # of the solid in every_kind.toml [Pa]
mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))

folder = sys.argv[1]
frames = [(float(d.get("timestep")), d.get("file")) for d in tree.parse(os.path.join(folder, "animation.pvd")).iter("DataSet")]
with open(os.path.join(folder, "ledger.csv")) as ledger:
    rows = list(csv.DictReader(ledger))
assert len(frames) == len(rows), (len(frames), len(rows))


def recorded():
    """Positions and velocities of every frame of frames.bin."""
    with open(os.path.join(folder, "frames.bin"), "rb") as file:
        magic, vertices = struct.unpack("<8sQ", file.read(40)[:16])
        assert magic == b"BRIOFRM1"
        while record := file.read(24 * vertices + 8):
            yield numpy.frombuffer(record[:-8], dtype="<f4").reshape(2, vertices, 3)


def edges(points, tets):
    return numpy.stack([points[tets[:, k]] - points[tets[:, 0]] for k in (1, 2, 3)], axis=2).astype(float)


def law(rest, points, tets):
    """Strain energy density [J/m^3] and von Mises stress [Pa] of every tetrahedron."""
    f = edges(points, tets) @ numpy.linalg.inv(edges(rest, tets))
    e = (f.transpose(0, 2, 1) @ f - numpy.eye(3)) / 2
    trace = numpy.trace(e, axis1=1, axis2=2)
    psi = mu * (e * e).sum(axis=(1, 2)) + lam / 2 * trace**2
    second = 2 * mu * e + lam * trace[:, None, None] * numpy.eye(3)
    cauchy = f @ second @ f.transpose(0, 2, 1) / numpy.linalg.det(f)[:, None, None]
    deviator = cauchy - numpy.trace(cauchy, axis1=1, axis2=2)[:, None, None] / 3 * numpy.eye(3)
    return psi, numpy.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))


rest = None
for (time, name), row, (x, v) in zip(frames, rows, recorded()):
    assert abs(time - float(row["time"])) < 1e-9
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(os.path.join(folder, name))
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0, name
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert numpy.array_equal(points, x), f"{name}: points"
    assert numpy.array_equal(vtk_to_numpy(grid.GetPointData().GetArray("velocity")), v), f"{name}: velocity"
    body = vtk_to_numpy(grid.GetCellData().GetArray("body"))
    density = vtk_to_numpy(grid.GetCellData().GetArray("strain_energy_density"))
    stress = vtk_to_numpy(grid.GetCellData().GetArray("von_mises"))
    solid = body == 0
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray())[: 4 * solid.sum()].reshape(-1, 4)
    if rest is None:
        rest = points.copy()  # the first frame is at rest
    psi, von_mises = law(rest, points, corners)
    assert numpy.allclose(density[solid], psi, rtol=1e-3, atol=1e-4), f"{name}: strain energy density"
    assert numpy.allclose(stress[solid], von_mises, rtol=1e-3, atol=1e-1), f"{name}: von Mises stress"
    assert (density[~solid] == 0).all() and (stress[~solid] == 0).all()
assert stress[solid].max() > 100 and density[solid].max() > 1, "the solid is bent at the end"
print(f"vtu: {len(frames)} frames, {grid.GetNumberOfCells()} cells, stress up to {stress.max():.4g} Pa agree with the record")
