"""The steps of `run.ts` by the client that openapi-python-client makes."""

import importlib
import os

import made.models as models
from made.client import AuthenticatedClient

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])


def ask(operation, *path, by=client, **rest):
    """The whole answer of an operation, as `contacts.get_contact`."""
    return importlib.import_module(f"made.api.{operation}").sync_detailed(*path, client=by, **rest)


def step(name, status, operation, *path, **rest):
    answer = ask(operation, *path, **rest)
    assert answer.status_code == status, (name, answer.status_code, answer.content)
    assert answer.parsed is not None, name
    print(name, flush=True)
    return answer.parsed


step("attribute", 200, "definitions.put_attribute", "seats", body=models.AttributeInput(type_=models.AttributeInputType.NUMBER))

seats = models.ContactInputCustomAttributes.from_dict({"seats": 3})
body = models.ContactInput(email="ada@example.com", custom_attributes=seats)
ada = step("upsert", 201, "contacts.upsert_contact", body=body)
assert ada.contact.custom_attributes["seats"] == 3

body = models.PutFields(email="ada@example.com", plan="pro")
assert step("put", 200, "contacts.put_contact", "u_1", body=body).contact.external_id == "u_1"
body = models.ContactChanges(name=None)
assert step("update", 200, "contacts.update_contact", "u_1", body=body).contact.plan == "pro"

properties = models.NewEventProperties.from_dict({"n": 1})
event = models.NewEvent(external_id="u_1", event_key="step", properties=properties)
recorded = step("event", 201, "events.track_event", body=event, idempotency_key="k-1")
repeated = step("repeat", 201, "events.track_event", body=event, idempotency_key="k-1")
assert repeated.event.id == recorded.event.id
step("older", 201, "events.track_event", body=models.OlderEvent(email="ada@example.com", event="step"))

items = [event.to_dict(), {**event.to_dict(), "externalId": "nobody"}]
batch = step("batch", 200, "events.track_events", body=models.EventBatch.from_dict({"items": items}))
assert batch.items[1].body.error.code == "contact_not_found"

first = ask("events.list_events", "u_1", limit=2).parsed
second = step("pages", 200, "events.list_events", "u_1", limit=2, cursor=first.next_cursor)
assert (len(first.items), len(second.items), second.next_cursor) == (2, 1, None)

body = models.EventTypeInput.from_dict({"properties": {"n": "number?"}})
step("type", 200, "definitions.put_event_type", "step", body=body)
done = {"kind": "has_done", "eventKey": "step"}
items = [{"key": "first", "name": "First", "when": done}, {"key": "hand", "name": "By hand"}]
body = models.ChecklistInput.from_dict({"name": "Start", "items": items})
step("checklist", 200, "definitions.put_checklist", "start", body=body)
on_pro = {"kind": "field", "field": "plan", "operator": "equals", "value": "pro"}
rule = {"all": [done, {"any": [on_pro, {"not": done}]}]}
body = models.AudienceInput.from_dict({"name": "Active", "rule": rule})
assert step("audience", 200, "definitions.put_audience", "active", body=body).audience.rule.to_dict() == rule
body = models.SubscriptionInput.from_dict({"on": {"events": True, "contacts": True}})
step("subscription", 200, "definitions.put_subscription", "all", body=body)
assert step("members", 200, "audiences.list_members", "active").items[0].email == "ada@example.com"
done = step("completion", 200, "checklists.complete_item", "u_1", "start", "hand")
assert done.checklist.progress.completed == 2

ask("contacts.upsert_contact", body=models.ContactInput(email="bob@example.com"))
change = step("changes", 200, "changes.list_changes", "all", wait=5).items[0]
assert (change.kind.value, change.contact.email) == ("contact_created", "bob@example.com")

body = models.ContactChanges(email="bob@example.com")
taken = step("conflict", 409, "contacts.update_contact", "u_1", body=body)
assert len(taken.error.conflict.contacts) == 2
assert step("unknown", 404, "contacts.get_contact", "nobody").error.code == "contact_not_found"

access = models.ApiKeyInputAccess.READ
key = ask("api_keys.create_api_key", body=models.ApiKeyInput(name="Slow", access=access, requests_per_minute=1)).parsed.key
slow = AuthenticatedClient(base_url=os.environ["URL"], token=key)
ask("definitions.list_attributes", by=slow)
assert step("limit", 429, "definitions.list_attributes", by=slow).error.code == "rate_limited"
assert step("deletion", 200, "contacts.delete_contact", "u_1").deleted.events == 3
