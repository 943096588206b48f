"""IP-XACT (IEEE 1685-2014) of lutra_axi: PeakRDL writes the registers; bus interfaces, ports and files come here.

Widths are those of the default parameters.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from peakrdl_ipxact.exporter import IPXACTExporter, Standard

from lutra.soc.generate import REGISTERS, SOC, elaborate

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
TOP = SOC / "rtl" / "lutra_axi.sv"
MEMORY = "memory"
# Bus interfaces: prefix of the ports, the bus of AMBA 4 that they are, and the side.
BUSES = {"s_axil": ("AXI4-Lite", "slave"), "m_axi": ("AXI4", "master")}
PORT = re.compile(r"^  (input|output) +logic (?:\[(.+?):0\] )?(\w+),?$", re.M)
PACKAGE = SOC / "rtl" / "lutra_soc_pkg.sv"
CONSTANT = re.compile(r"^  (?:localparam|parameter) int unsigned (\w+) = (.+?)[,;]?(?: *//.*)?$", re.M)
TERM = re.compile(r"(\w+)(?: *([-/]) *(\d+))?")


@dataclass(frozen=True)
class Port:
    """A port of the top, and its bits."""

    name: str
    direction: str
    bits: int


def value(expression: str, constants: dict[str, str]) -> int:
    """The value of a constant, perhaps less or divided by a number: other expressions are a ValueError."""
    found = TERM.fullmatch(expression)
    if found is None:
        raise ValueError(f"{TOP.name}: the width {expression} cannot be read")
    term, operator, number = found.groups()
    left = int(term) if term.isdigit() else value(constants[term], constants)
    if operator == "-":
        return left - int(number)
    return left // int(number) if operator == "/" else left


def ports() -> list[Port]:
    """The ports of the top in their order."""
    header = TOP.read_text().partition("\n);\n")[0]
    constants = dict(CONSTANT.findall(PACKAGE.read_text() + header))
    found = PORT.findall(header)
    return [Port(name, direction, value(left or "0", constants) + 1) for direction, left, name in found]


def add(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> ET.Element:
    """One more child of this namespace."""
    child = ET.SubElement(parent, f"{{{NAMESPACE}}}{tag}", attributes)
    child.text = text or None
    return child


def bus_interfaces(memory_map: str) -> ET.Element:
    """Both bus interfaces with their port maps."""
    interfaces = ET.Element(f"{{{NAMESPACE}}}busInterfaces")
    for prefix, (bus, side) in BUSES.items():
        interface = add(interfaces, "busInterface")
        add(interface, "name", prefix)
        vlnv = {"vendor": "amba.com", "library": "AMBA4", "version": "r0p0_0"}
        add(interface, "busType", **vlnv, name=bus)
        abstraction = add(add(interface, "abstractionTypes"), "abstractionType")
        add(abstraction, "abstractionRef", **vlnv, name=f"{bus}_rtl")
        maps = add(abstraction, "portMaps")
        for port in ports():
            if port.name.startswith(f"{prefix}_"):
                port_map = add(maps, "portMap")
                add(add(port_map, "logicalPort"), "name", port.name.removeprefix(f"{prefix}_").upper())
                add(add(port_map, "physicalPort"), "name", port.name)
        role = add(interface, side)
        if side == "slave":
            add(role, "memoryMapRef", memoryMapRef=memory_map)
        else:
            add(role, "addressSpaceRef", addressSpaceRef=MEMORY)
    return interfaces


def address_spaces() -> ET.Element:
    """The map as the manager sees it."""
    spaces = ET.Element(f"{{{NAMESPACE}}}addressSpaces")
    space = add(spaces, "addressSpace")
    add(space, "name", MEMORY)
    bits = {port.name: port.bits for port in ports()}
    add(space, "range", f"{1 << bits['m_axi_araddr']}")
    add(space, "width", f"{bits['m_axi_rdata']}")
    return spaces


def model() -> ET.Element:
    """The ports, with a view of the RTL."""
    result = ET.Element(f"{{{NAMESPACE}}}model")
    view = add(add(result, "views"), "view")
    add(view, "name", "rtl")
    add(view, "componentInstantiationRef", "rtl")
    instantiation = add(add(result, "instantiations"), "componentInstantiation")
    add(instantiation, "name", "rtl")
    add(instantiation, "language", "systemVerilog")
    add(instantiation, "moduleName", TOP.stem)
    add(add(instantiation, "fileSetRef"), "localName", "rtl")
    listed = add(result, "ports")
    for port in ports():
        element = add(listed, "port")
        add(element, "name", port.name)
        wire = add(element, "wire")
        add(wire, "direction", {"input": "in", "output": "out"}[port.direction])
        if port.bits > 1:
            vector = add(add(wire, "vectors"), "vector")
            add(vector, "left", f"{port.bits - 1}")
            add(vector, "right", "0")
    return result


def file_sets(files: Sequence[str]) -> ET.Element:
    """The files of the RTL, in their order."""
    sets = ET.Element(f"{{{NAMESPACE}}}fileSets")
    rtl = add(sets, "fileSet")
    add(rtl, "name", "rtl")
    for file in files:
        element = add(rtl, "file")
        add(element, "name", file)
        add(element, "fileType", "systemVerilogSource")
    return sets


def write(place: Path, files: Sequence[str], version: str) -> None:
    """Write the component; the names of the files are relative to its folder."""
    exporter = IPXACTExporter(vendor="lutra", library="ip", version=version, standard=Standard.IEEE_1685_2014)
    exporter.export(elaborate()[REGISTERS], str(place), component_name=TOP.stem)
    ET.register_namespace("ipxact", NAMESPACE)
    tree = ET.parse(place)
    component = tree.getroot()
    maps = component.find(f"{{{NAMESPACE}}}memoryMaps")
    name = component.findtext(f".//{{{NAMESPACE}}}memoryMap/{{{NAMESPACE}}}name")
    if maps is None or name is None:
        raise ValueError("PeakRDL has written no memory map")
    at = list(component).index(maps)
    component.insert(at, address_spaces())
    component.insert(at, bus_interfaces(name))
    at = list(component).index(maps) + 1
    component.insert(at, file_sets(files))
    component.insert(at, model())
    ET.indent(tree)
    tree.write(place, encoding="utf-8", xml_declaration=True)
