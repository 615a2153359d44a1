"""Where a connector may go. An address that staff enter, or a redirect, must not open this machine or its network.

A name is looked up once, every address behind it is checked, and the connection goes to one that was checked: a name
that answers differently the second time (DNS rebinding) gains nothing.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

from sources.connectors.base import ConnectorError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Where clouds keep a machine's own credentials, beside the link-local ones. Nobody's documents live there.
METADATA = {ipaddress.ip_address(each) for each in ("168.63.129.16", "100.100.100.200", "fd00:ec2::254")}
NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: 2130706433, 0x7f.1, 0177.0.0.1 and 127.1: a C library reads them as addresses, people don't.
NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)$")


def private_is_allowed() -> bool:
    return bool(settings.SOURCES_ALLOW_PRIVATE_ADDRESSES)


def check_url(url: str) -> None:
    """Refuse an address that can never be right, before anything is looked up."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise _refusal("The address can't be read. It takes the form https://git.example.org.") from error
    if parts.scheme not in (("https", "http") if private_is_allowed() else ("https",)):
        raise _refusal(f"The address of {host or 'the service'} has to begin with https://.")
    if not host:
        raise _refusal("The address names no host. It takes the form https://git.example.org.")
    if parts.username or parts.password:
        raise _refusal("The address holds a user name or a password. Enter them in the fields for credentials.")
    check_host(host)


def check_host(host: str) -> None:
    name = host.rstrip(".")
    address = as_address(name)
    if address is not None:
        check_address(address, host)
    elif NUMBER.match(name.rpartition(".")[2]):
        raise _refusal(f"{host} is an address in an unusual spelling. Enter the name of the server.")


def as_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def check_address(address: Address, host: str) -> None:
    """Whatever a setting allows, nothing reads the addresses where a cloud keeps a machine's credentials."""
    for each in (address, *_inside(address)):
        if each.is_link_local or each.is_multicast or each.is_unspecified or each in METADATA:
            raise _refusal(f"{host} leads to an address that no document lives at. Enter the name of the server.")
        if not private_is_allowed() and not each.is_global:
            raise _refusal(
                f"{host} leads to an address inside this network, which sources may not read. If that is meant, "
                "whoever runs Neuronz can allow it with NEURONZ_ALLOW_PRIVATE_SOURCES=1."
            )


def _inside(address: Address) -> Iterable[ipaddress.IPv4Address]:
    """The IPv4 address that an IPv6 one stands for: mapped, compatible, 6to4, Teredo and NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return ()
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    low = int(address) & 0xFFFFFFFF
    if address in NAT64 or (int(address) >> 32 == 0 and low > 1):
        found.append(ipaddress.IPv4Address(low))
    return [each for each in found if each is not None]


def resolve(host: str, port: int) -> list[str]:
    """The edge to the name service."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class GuardedBackend(httpcore.SyncBackend):
    """Connects only to addresses that were checked. TLS still asks for the name, so a certificate must fit it."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in checked_addresses(host, port):
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


def checked_addresses(host: str, port: int) -> list[str]:
    """One bad address among them and none is used: which one is tried must not be the name server's choice."""
    check_host(host)
    try:
        found = resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {host} is not known") from error
    for each in found:
        check_address(ipaddress.ip_address(each.partition("%")[0]), host)
    return found


def _refusal(sentence: str) -> ConnectorError:
    return ConnectorError(sentence, permanent=True)
