// The steps of `run.ts` by the Go client that openapi-generator makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	made "example.com/whodid/made"
)

// An answer whose status must be this.
func step[Answer any](name string, status int, answer Answer, response *http.Response, err error) Answer {
	if response == nil || response.StatusCode != status || (err != nil && status < 300) {
		panic(fmt.Sprint(name, " ", err, " ", response))
	}
	fmt.Println(name)
	return answer
}

func refusal[Refusal any](name string, status int, response *http.Response, err error) Refusal {
	step(name, status, 0, response, err)
	return err.(*made.GenericOpenAPIError).Model().(Refusal)
}

func must(holds bool, what any) {
	if !holds {
		panic(fmt.Sprint(what))
	}
}

// A body from its JSON.
func body[Body any](text string) Body {
	var parsed Body
	if err := json.Unmarshal([]byte(text), &parsed); err != nil {
		panic(fmt.Sprint(text, err))
	}
	return parsed
}

func open(key string) (*made.APIClient, context.Context) {
	configuration := made.NewConfiguration()
	configuration.Servers = made.ServerConfigurations{{URL: os.Getenv("URL")}}
	return made.NewAPIClient(configuration), context.WithValue(context.Background(), made.ContextAccessToken, key)
}

func main() {
	client, ctx := open(os.Getenv("KEY"))
	contacts, events, definitions := client.ContactsAPI, client.EventsAPI, client.DefinitionsAPI

	attribute, r, err := definitions.PutAttribute(ctx, "seats").AttributeInput(*made.NewAttributeInput("number")).Execute()
	step("attribute", 200, attribute, r, err)

	input := body[made.ContactInput](`{"email":"ada@example.com","customAttributes":{"seats":3}}`)
	ada, r, err := contacts.UpsertContact(ctx).ContactInput(input).Execute()
	attributes, _ := json.Marshal(step("upsert", 201, ada, r, err).Contact.CustomAttributes)
	must(string(attributes) == `{"seats":3}`, string(attributes))

	fields := made.PutFields{Email: made.PtrString("ada@example.com")}
	fields.SetPlan("pro")
	put, r, err := contacts.PutContact(ctx, "u_1").PutFields(fields).Execute()
	must(step("put", 200, put, r, err).Contact.ExternalId == "u_1", put)

	changes := made.NewContactChanges()
	changes.SetNameNil()
	updated, r, err := contacts.UpdateContact(ctx, "u_1").ContactChanges(*changes).Execute()
	must(step("update", 200, updated, r, err).Contact.GetPlan() == "pro", updated)

	event := body[made.EventInput](`{"externalId":"u_1","eventKey":"step","properties":{"n":1}}`)
	recorded, r, err := events.TrackEvent(ctx).EventInput(event).IdempotencyKey("k-1").Execute()
	step("event", 201, recorded, r, err)
	repeated, r, err := events.TrackEvent(ctx).EventInput(event).IdempotencyKey("k-1").Execute()
	must(step("repeat", 201, repeated, r, err).Event.Id == recorded.Event.Id, repeated)
	older := made.OlderEventAsEventInput(made.NewOlderEvent("ada@example.com", "step"))
	olderEvent, r, err := events.TrackEvent(ctx).EventInput(older).Execute()
	step("older", 201, olderEvent, r, err)

	items := `{"items":[{"externalId":"u_1","eventKey":"step"},{"externalId":"nobody","eventKey":"step"}]}`
	batch, r, err := events.TrackEvents(ctx).EventBatch(body[made.EventBatch](items)).Execute()
	must(step("batch", 200, batch, r, err).Items[1].Body.Refusal.Error.Code == "contact_not_found", batch)

	first, _, _ := events.ListEvents(ctx, "u_1").Limit(2).Execute()
	second, r, err := events.ListEvents(ctx, "u_1").Limit(2).Cursor(first.GetNextCursor()).Execute()
	must(len(step("pages", 200, second, r, err).Items) == 1 && !second.NextCursor.IsSet() || second.GetNextCursor() == "", second)

	eventType, r, err := definitions.PutEventType(ctx, "step").EventTypeInput(body[made.EventTypeInput](`{"properties":{"n":"number?"}}`)).Execute()
	step("type", 200, eventType, r, err)
	checklist := `{"name":"Start","items":[{"key":"first","name":"First","when":{"kind":"has_done","eventKey":"step"}},{"key":"hand","name":"By hand"}]}`
	start, r, err := definitions.PutChecklist(ctx, "start").ChecklistInput(body[made.ChecklistInput](checklist)).Execute()
	step("checklist", 200, start, r, err)
	rule := `{"all":[{"eventKey":"step","kind":"has_done"},{"any":[{"field":"plan","kind":"field","operator":"equals","value":"pro"},{"not":{"eventKey":"step","kind":"has_done"}}]}]}`
	active, r, err := definitions.PutAudience(ctx, "active").AudienceInput(body[made.AudienceInput](`{"name":"Active","rule":` + rule + `}`)).Execute()
	kept, _ := json.Marshal(step("audience", 200, active, r, err).Audience.Rule)
	must(string(kept) == rule, string(kept))
	all, r, err := definitions.PutSubscription(ctx, "all").SubscriptionInput(body[made.SubscriptionInput](`{"on":{"events":true,"contacts":true}}`)).Execute()
	step("subscription", 200, all, r, err)
	members, r, err := client.AudiencesAPI.ListMembers(ctx, "active").Execute()
	must(step("members", 200, members, r, err).Items[0].Email == "ada@example.com", members)
	progress, r, err := client.ChecklistsAPI.CompleteItem(ctx, "u_1", "start", "hand").Execute()
	must(step("completion", 200, progress, r, err).Checklist.Progress.Completed == 2, progress)

	contacts.UpsertContact(ctx).ContactInput(*made.NewContactInput("bob@example.com")).Execute()
	log, r, err := client.ChangesAPI.ListChanges(ctx, "all").Wait(5).Execute()
	written := step("changes", 200, log, r, err).Items[0].ContactWritten
	must(written.Kind == "contact_created" && written.Contact.Email == "bob@example.com", written)

	_, r, err = contacts.UpdateContact(ctx, "u_1").ContactChanges(made.ContactChanges{Email: made.PtrString("bob@example.com")}).Execute()
	taken := refusal[made.Refusal409]("conflict", 409, r, err)
	must(len(taken.Error.Conflict.Contacts) == 2, taken)
	_, r, err = contacts.GetContact(ctx, "nobody").Execute()
	unknown := refusal[made.Refusal404]("unknown", 404, r, err)
	must(unknown.Error.Code == "contact_not_found", unknown)

	slowKey := made.ApiKeyInput{Name: "Slow", Access: made.PtrString("read")}
	slowKey.SetRequestsPerMinute(1)
	created, _, _ := client.ApiKeysAPI.CreateApiKey(ctx).ApiKeyInput(slowKey).Execute()
	slow, slowCtx := open(created.Key)
	slow.DefinitionsAPI.ListAttributes(slowCtx).Execute()
	_, r, err = slow.DefinitionsAPI.ListAttributes(slowCtx).Execute()
	limited := refusal[made.Refusal429]("limit", 429, r, err)
	must(limited.Error.Code == "rate_limited", limited)
	deleted, r, err := contacts.DeleteContact(ctx, "u_1").Execute()
	must(step("deletion", 200, deleted, r, err).Deleted.Events == 3, deleted)
}
