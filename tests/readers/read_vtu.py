"""Reads animation.pvd and its frames with VTK: cells, times, velocity, energy density and stress.

    python3 read_vtu.py RUN_FOLDER
"""
import csv
import os
import sys
import xml.etree.ElementTree as tree

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter

folder = sys.argv[1]
frames = [(float(d.get("timestep")), d.get("file")) for d in tree.parse(os.path.join(folder, "animation.pvd")).iter("DataSet")]
with open(os.path.join(folder, "ledger.csv")) as ledger:
    rows = list(csv.DictReader(ledger))
assert len(frames) == len(rows), (len(frames), len(rows))

rest_volume = None
for (time, name), row in zip(frames, rows):
    assert abs(time - float(row["time"])) < 1e-9
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(os.path.join(folder, name))
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0 and grid.GetNumberOfPoints() > 0, name
    sizes = vtkCellSizeFilter()
    sizes.SetInputData(grid)
    sizes.Update()
    volume = vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume"))
    body = vtk_to_numpy(grid.GetCellData().GetArray("body"))
    density = vtk_to_numpy(grid.GetCellData().GetArray("strain_energy_density"))
    stress = vtk_to_numpy(grid.GetCellData().GetArray("von_mises"))
    velocity = vtk_to_numpy(grid.GetPointData().GetArray("velocity"))
    assert velocity.shape == (grid.GetNumberOfPoints(), 3)
    solid = body == 0
    if rest_volume is None:
        rest_volume = volume[solid]  # the first frame is at rest
    energy = float((density[solid] * rest_volume).sum())
    assert 0 <= energy <= float(row["elastic"]) + 1e-3, (name, energy, row["elastic"])
    assert (stress >= 0).all() and (density[~solid] == 0).all()
assert energy > 0 and stress[solid].max() > 0
print(f"vtu: {len(frames)} frames, {grid.GetNumberOfCells()} cells, stress up to {stress.max():.4g} Pa")
