"""Names of people have an index, and the word index is never behind."""

from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models

GINS = {"memory_words": "words", "memory_tags": "tags"}
#: The indexes stay as they are; only what comes later is put into them at once.
AT_ONCE = [f"ALTER INDEX {name} SET (fastupdate = off); SELECT gin_clean_pending_list('{name}')" for name in GINS]
LATER = [f"ALTER INDEX {name} RESET (fastupdate)" for name in GINS]


class Migration(migrations.Migration):
    dependencies = [("memories", "0015_erasures_and_counts_stay_in_a_product")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                name="memory_by_person",
                fields=["product", "person"],
                condition=models.Q(("person__isnull", False)),
            ),
        ),
        migrations.RunSQL(
            sql=AT_ONCE,
            reverse_sql=LATER,
            state_operations=[
                operation
                for name, field in GINS.items()
                for operation in (
                    migrations.RemoveIndex("memory", name),
                    migrations.AddIndex("memory", GinIndex(name=name, fields=[field], fastupdate=False)),
                )
            ],
        ),
    ]
