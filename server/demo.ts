import type { Definitions, NewContact, NewEvent, Workspace } from "../lib/index.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const days = 90;

const names =
  "Ada Hart,Ben Okafor,Clara Lind,Daniel Reyes,Elif Demir,Farid Nasser,Grace Chen,Hugo Martin,Ines Costa,Jonas Weber," +
  "Kavya Rao,Liam Murphy,Maja Novak,Noah Schmidt,Olga Petrova,Pablo Ruiz,Quinn Taylor,Rosa Bianchi,Sven Larsen,Tara Singh," +
  "Uma Patel,Viktor Horvat,Wanda Kowalska,Xavier Dubois,Yuki Tanaka,Zoe Adams,Amir Haddad,Bella Rossi,Cyril Blanc,Dana Levi," +
  "Emil Hansen,Fatima Zahra,Gabor Kiss,Hanna Virtanen,Ivan Markov,Julia Santos,Kofi Mensah,Lena Vogel,Mateo Silva,Nina Berg";

const done = (eventKey: string) => ({ kind: "has_done", eventKey }) as const;

const definitions: Definitions = {
  events: [
    { key: "signup_completed", name: "Signed up" },
    { key: "email_verified", name: "Verified the email" },
    { key: "project_created", name: "Created a project", properties: { template: "text?" } },
    { key: "report_created", name: "Created a report", properties: { rows: "number" } },
    { key: "teammate_invited", name: "Invited a teammate" },
    { key: "purchase_completed", name: "Bought", properties: { total: "number", currency: "text", coupon: "text?" } },
    { key: "support_requested", name: "Asked for help", properties: { topic: "text" } },
    { key: "subscription_cancelled", name: "Cancelled", properties: { reason: "text?" } },
  ],
  attributes: [
    { key: "company", type: "text", name: "Company" },
    { key: "country", type: "text", name: "Country" },
    { key: "seats", type: "number", name: "Seats" },
    { key: "newsletter", type: "boolean", name: "Gets the newsletter" },
    { key: "satisfaction", type: "number", name: "Satisfaction, 0 to 10" },
  ],
  checklists: [
    {
      key: "onboarding",
      name: "Onboarding",
      description: "From an empty app to a team that uses it.",
      items: [
        { key: "verify", name: "Verify your email", href: "/demo#verify", when: done("email_verified") },
        { key: "project", name: "Create a project", href: "/demo#project", when: done("project_created") },
        { key: "invite", name: "Invite a teammate", href: "/demo#invite", when: done("teammate_invited") },
        { key: "call", name: "Talk to us", description: "Half an hour, whenever you like." },
      ],
    },
    {
      key: "reporting",
      name: "Reporting",
      items: [
        { key: "first", name: "Create a report", when: done("report_created") },
        { key: "ten", name: "Create 10", when: { kind: "count_greater_than", eventKey: "report_created", count: 9 } },
      ],
    },
  ],
  subscriptions: [{ key: "everything", on: { events: true, contacts: true, checklists: true } }],
  audiences: [
    { key: "onboarded", name: "Onboarded", rule: { kind: "checklist_completed", checklistKey: "onboarding" } },
    {
      key: "stuck",
      name: "New, and no project yet",
      rule: {
        all: [
          { kind: "field", field: "signedUpAt", operator: "within", value: { days: 30 } },
          { kind: "has_not_done", eventKey: "project_created" },
        ],
      },
    },
    {
      key: "win_back",
      name: "Bought, but not in the last 30 days",
      rule: {
        all: [
          done("purchase_completed"),
          { not: { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } } },
        ],
      },
    },
    {
      key: "large",
      name: "Large accounts",
      rule: {
        any: [
          { kind: "attribute", key: "seats", operator: "greater_than", value: 40 },
          { kind: "field", field: "plan", operator: "equals", value: "business" },
        ],
      },
    },
  ],
};

/** Loads 40 contacts, and their events of the three months before `now`. Apart from the times, they are always the same. */
export async function loadDemo(workspace: Workspace, now: number): Promise<void> {
  const contacts = names.split(",").map((name, index) => contactOf(name, index, now));
  const events = contacts.flatMap((contact, index) => eventsOf(contact, index, now));
  events.sort((a, b) => Date.parse(String(a.createdAt)) - Date.parse(String(b.createdAt)));
  await workspace.provision(definitions);
  await workspace.contacts.upsertMany(contacts);
  await workspace.events.trackMany(events);
  for (const { externalId } of contacts.slice(0, 12))
    await workspace.checklists.complete(externalId!, "onboarding", "call");
}

function contactOf(name: string, index: number, now: number): NewContact {
  const [first = "", last = ""] = name.toLowerCase().split(" ");
  const plan = ["free", "team", "free", "business", "team"][index % 5]!;
  return {
    email: `${first}.${last}@example.com`,
    externalId: `u_${101 + index}`,
    name,
    plan,
    role: ["owner", "member", "admin"][index % 3]!,
    signedUpAt: new Date(signUpOf(index, now)),
    customAttributes: {
      company: ["Northwind", "Acme", "Globex", "Initech"][index % 4]!,
      country: ["DE", "FR", "US", "IN", "BR", "JP"][index % 6]!,
      seats: plan === "free" ? 1 : 5 + ((index * 13) % 60),
      newsletter: index % 3 !== 0,
      ...(index % 4 !== 2 && { satisfaction: 4 + ((index * 7) % 7) }),
    },
  };
}

/** The time of a sign-up, from three months to one hour before `now`. */
function signUpOf(index: number, now: number): number {
  return Math.floor(now - 60 * 60 * 1_000 - (days * dayMs * (39 - index)) / 40);
}

function eventsOf({ externalId, plan }: NewContact, index: number, now: number): NewEvent[] {
  const since = signUpOf(index, now);
  const pays = plan !== "free";
  const hasLeft = pays && index % 4 === 1;
  // Spreads events over the time since the sign-up, or over the first half of that time if the contact has left.
  const many = (eventKey: string, count: number, propertiesOf?: (n: number) => NewEvent["properties"]): NewEvent[] =>
    Array.from({ length: count }, (_, n) => {
      const part = (n + 0.2 + ((index * 7 + n * 3) % 10) / 15) / count / (hasLeft ? 2 : 1);
      const createdAt = new Date(Math.floor(since + (now - since) * part));
      return { externalId: externalId!, eventKey, createdAt, ...(propertiesOf && { properties: propertiesOf(n) }) };
    });
  const age = (now - since) / dayMs;
  return [
    { externalId: externalId!, eventKey: "signup_completed", createdAt: new Date(since) },
    ...many("email_verified", index % 9 === 8 ? 0 : 1),
    ...many("project_created", index % 4 === 3 ? 0 : 1 + (index % 3), (n) => (n === 0 ? { template: "roadmap" } : {})),
    ...many("report_created", Math.floor((age / 6) * (index % 4)), (n) => ({
      rows: 20 + ((index * 31 + n * 17) % 400),
    })),
    ...many("teammate_invited", pays ? 1 + (index % 4) : 0),
    ...many("purchase_completed", pays ? Math.ceil(age / 30) : 0, (n) => ({
      total: plan === "team" ? 49 : 199,
      currency: "EUR",
      ...(n === 0 && index % 5 === 1 && { coupon: "WELCOME" }),
    })),
    // The application has a typo in this key.
    ...many("purchase_complete", index % 10 === 4 ? 1 : 0, () => ({ total: 49, currency: "EUR" })),
    ...many("support_requested", index % 6 === 5 ? 2 : 0, (n) => ({ topic: ["billing", "import"][n]! })),
    ...many("subscription_cancelled", hasLeft ? 1 : 0, () => ({ reason: "too expensive" })),
  ];
}
