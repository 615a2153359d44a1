"""MCP over standard input and output, for clients that start a program: the key comes from the environment."""

from mcp.server.stdio import stdio_server

from memories.services.keys import Caller
from neuronz.mcp.admission import admit
from neuronz.mcp.server import Context, make_server


async def serve(key: str) -> None:
    """Until the client closes standard input. The SDK keeps everything but the protocol off standard output."""

    def identify(_: Context) -> Caller:
        return admit(f"Bearer {key}")  # at every call, so that a revoked key ends at once

    server = make_server(identify)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
