"""Vectors and indexes of a product, kept up: what is missing is made, also after the embedding model has changed."""

from memories import embeddings
from memories.cognition.base import Budget, Since, Step, StepFailed, StepReport
from memories.errors import EmbedderDown
from memories.models import Product
from memories.services import embedding_upkeep, word_upkeep


def keep_up(product: Product, since: Since, budget: Budget) -> StepReport:
    """No memory is written: a vector is no statement."""
    made = 0
    try:
        for count in embedding_upkeep.embed_all(embeddings.current(), product_id=product.pk):
            made += count
            if budget.is_spent:
                return StepReport(read=made, is_whole=False)
    except EmbedderDown as error:
        raise StepFailed(error.sentence) from None
    word_upkeep.index_waiting()
    word_upkeep.recount()
    indexes = list(embedding_upkeep.build_wanted_indexes(product.pk))
    return StepReport(read=made + len(indexes))


STEP = Step(
    "upkeep",
    "Keep vectors and indexes",
    "Makes the vectors that are missing, all of them after the embedding model has changed, and gives a large product "
    "an index of its own.",
    keep_up,
)
