"""Messages of a session: which write keeps which message, and who was heard."""

import pgtrigger
from django.db import models

from memories.limits import NAME_CHARACTERS, ROLE_CHARACTERS
from memories.models.guards import NoDeletes, SameProduct
from memories.models.product import Agent, Product
from memories.models.write import Write


class CapturedMessage(models.Model):
    """One message of a session that an agent took part in, kept by one write.

    The text, the speaker and the time stand in the write's raw record and its evidence. Ids grow along the session,
    so they say what came before.
    """

    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="+")
    session = models.CharField(max_length=NAME_CHARACTERS)
    message = models.CharField(max_length=NAME_CHARACTERS)
    role = models.CharField(max_length=ROLE_CHARACTERS)
    write = models.OneToOneField(Write, on_delete=models.PROTECT, related_name="captured")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                name="one_message_per_agent_session_and_id", fields=["agent", "session", "message"]
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="message_stays_written"),
            NoDeletes(),
            SameProduct("agent", "write"),
        ]

    def __str__(self) -> str:
        return f"{self.session}/{self.message}"
