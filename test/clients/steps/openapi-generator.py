"""The steps of `run.ts` by the Python client that openapi-generator makes."""

import os

import made
from made import ApiException, models

configuration = made.Configuration(host=os.environ["URL"], access_token=os.environ["KEY"])
client = made.ApiClient(configuration)
contacts, events, definitions = made.ContactsApi(client), made.EventsApi(client), made.DefinitionsApi(client)


def step(name, status, operation, *arguments, **rest):
    try:
        answer = operation(*arguments, **rest)
        answered, data = answer.status_code, answer.data
    except ApiException as refused:
        answered, data = refused.status, refused.data
    assert answered == status, (name, answered, data)
    assert data is not None, name
    print(name, flush=True)
    return data


body = models.AttributeInput(type="number")
step("attribute", 200, definitions.put_attribute_with_http_info, "seats", body)

body = models.ContactInput.from_dict({"email": "ada@example.com", "customAttributes": {"seats": 3}})
ada = step("upsert", 201, contacts.upsert_contact_with_http_info, body)
assert ada.contact.custom_attributes["seats"].actual_instance == 3

body = models.PutFields(email="ada@example.com", plan="pro")
assert step("put", 200, contacts.put_contact_with_http_info, "u_1", body).contact.external_id == "u_1"
body = models.ContactChanges(name=None)
assert step("update", 200, contacts.update_contact_with_http_info, "u_1", body).contact.plan == "pro"

event = {"externalId": "u_1", "eventKey": "step", "properties": {"n": 1}}
body = models.EventInput.from_dict(event)
recorded = step("event", 201, events.track_event_with_http_info, body, idempotency_key="k-1")
repeated = step("repeat", 201, events.track_event_with_http_info, body, idempotency_key="k-1")
assert repeated.event.id == recorded.event.id
body = models.EventInput(models.OlderEvent(email="ada@example.com", event="step"))
step("older", 201, events.track_event_with_http_info, body)

body = models.EventBatch.from_dict({"items": [event, {**event, "externalId": "nobody"}]})
batch = step("batch", 200, events.track_events_with_http_info, body)
assert batch.items[1].body.actual_instance.error.code == "contact_not_found"

first = events.list_events("u_1", limit=2)
second = step("pages", 200, events.list_events_with_http_info, "u_1", limit=2, cursor=first.next_cursor)
assert (len(first.items), len(second.items), second.next_cursor) == (2, 1, None)

body = models.EventTypeInput.from_dict({"properties": {"n": "number?"}})
step("type", 200, definitions.put_event_type_with_http_info, "step", body)
done = {"kind": "has_done", "eventKey": "step"}
items = [{"key": "first", "name": "First", "when": done}, {"key": "hand", "name": "By hand"}]
body = models.ChecklistInput.from_dict({"name": "Start", "items": items})
step("checklist", 200, definitions.put_checklist_with_http_info, "start", body)
audiences, changes = made.AudiencesApi(client), made.ChangesApi(client)
on_pro = {"kind": "field", "field": "plan", "operator": "equals", "value": "pro"}
rule = {"all": [done, {"any": [on_pro, {"not": done}]}]}
body = models.AudienceInput.from_dict({"name": "Active", "rule": rule})
assert step("audience", 200, definitions.put_audience_with_http_info, "active", body).audience.rule.to_dict() == rule
body = models.SubscriptionInput.from_dict({"on": {"events": True, "contacts": True}})
step("subscription", 200, definitions.put_subscription_with_http_info, "all", body)
assert step("members", 200, audiences.list_members_with_http_info, "active").items[0].email == "ada@example.com"
progress = step("completion", 200, made.ChecklistsApi(client).complete_item_with_http_info, "u_1", "start", "hand")
assert progress.checklist.progress.completed == 2

contacts.upsert_contact(models.ContactInput(email="bob@example.com"))
change = step("changes", 200, changes.list_changes_with_http_info, "all", wait=5).items[0].actual_instance
assert (change.kind, change.contact.email) == ("contact_created", "bob@example.com")

body = models.ContactChanges(email="bob@example.com")
taken = step("conflict", 409, contacts.update_contact_with_http_info, "u_1", body)
assert len(taken.error.conflict.contacts) == 2
assert step("unknown", 404, contacts.get_contact_with_http_info, "nobody").error.code == "contact_not_found"

body = models.ApiKeyInput(name="Slow", access="read", requests_per_minute=1)
key = made.ApiKeysApi(client).create_api_key(body).key
# urllib3 waits for the time in `Retry-After` otherwise.
configuration = made.Configuration(host=os.environ["URL"], access_token=key, retries=False)
slow = made.DefinitionsApi(made.ApiClient(configuration))
slow.list_attributes()
assert step("limit", 429, slow.list_attributes_with_http_info).error.code == "rate_limited"
assert step("deletion", 200, contacts.delete_contact_with_http_info, "u_1").deleted.events == 3
