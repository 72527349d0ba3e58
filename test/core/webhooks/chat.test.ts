import { describe, expect, it } from "vitest";
import { CHAT_SERVICES, chatBody, type ChatEvent } from "../../../src/core/webhooks/chat.ts";

const PUBLIC_URL = "https://flags.example.com";

const anEvent = (more: Partial<ChatEvent> = {}): ChatEvent => ({
  eventId: "e1",
  type: "flag.updated",
  projectId: 2,
  projectName: "Shop",
  entityId: 12,
  sequence: 9,
  actorKind: "user",
  actorName: "ann@example.com",
  data: {
    flag: { key: "new-checkout", name: "New checkout" },
    environment: { id: 5, name: "production" },
    strategy: { enabled: true, percentage: 25, constraints: [{}], rules: [{}, {}] },
    changed: ["enabled", "percentage"],
  },
  reason: "Canary went well",
  createdAt: 0,
  ...more,
});

const slack = (event: ChatEvent) => JSON.parse(chatBody("slack", event, PUBLIC_URL));
const titleOf = (type: string, data: ChatEvent["data"], more: Partial<ChatEvent> = {}) =>
  slack(anEvent({ type, data, ...more })).text;

const flag = { key: "new-checkout", name: "New checkout" };
const segment = { name: "Beta testers" };
const environment = { id: 5, name: "production" };
const strategy = { enabled: false, percentage: 40 };

describe("a message to Slack", () => {
  it("is rich text that says who changed what, where and why, with a link", () => {
    const fact = (label: string, value: string) => ({
      type: "rich_text_section",
      elements: [
        { type: "text", text: `${label}: `, style: { bold: true } },
        { type: "text", text: value },
      ],
    });
    expect(slack(anEvent())).toEqual({
      text: "ann@example.com turned on New checkout in production",
      mrkdwn: false,
      blocks: [
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "ann@example.com turned on New checkout in production" },
                { type: "text", text: "\n" },
                {
                  type: "link",
                  url: "https://flags.example.com/projects/2/flags/12?environment=5",
                  text: "Open in the dashboard",
                },
              ],
            },
            fact("Project", "Shop"),
            fact("Environment", "production"),
            fact("Flag key", "new-checkout"),
            fact("Now", "on for 25 % of users, 1 condition, 2 rules"),
            fact("Reason", "Canary went well"),
          ],
        },
      ],
    });
  });

  it("names the environment whose protection has changed, with a link to the environments", () => {
    const data = { environment: { name: "production" }, changed: ["allowBypass"] };
    const { text, blocks } = slack(anEvent({ type: "environment.protection-updated", data }));
    expect(text).toBe("ann@example.com changed the protection of production");
    expect(JSON.stringify(blocks)).toContain(
      '"url":"https://flags.example.com/projects/2/environments"',
    );
  });

  it("has no link without the URL of the dashboard, and none to a deleted flag", () => {
    expect(chatBody("slack", anEvent(), undefined)).not.toContain("Open in the dashboard");
    const deleted = slack(anEvent({ type: "flag.deleted", data: { flag } }));
    expect(JSON.stringify(deleted)).not.toContain("Open in the dashboard");
  });

  it.each([
    "<!channel> & <https://evil.example.com|click>",
    "*b* _i_ ~s~ `c` :x: > q",
    "@here #all",
  ])("shows names and reasons as they are, without format, mention or link: %s", (name) => {
    const event = anEvent({
      projectName: name,
      actorName: name,
      data: { flag: { key: name, name }, environment: { id: 5, name } },
      reason: name,
    });
    const { text, mrkdwn, blocks } = slack(event);
    expect(mrkdwn).toBe(false);
    expect(text).not.toMatch(/[<>]/);
    const [{ type, elements }] = blocks;
    expect(type).toBe("rich_text");
    const parts = elements.flatMap((line: { elements: object[] }) => line.elements);
    const withName = parts.filter((part: object) => JSON.stringify(part).includes(name));
    expect(withName).toEqual([
      { type: "text", text: `${name} changed the flag ${name}` },
      ...Array.from({ length: 4 }, () => ({ type: "text", text: name })),
    ]);
  });
});

describe("the sentence of a message", () => {
  it.each([
    ["flag.created", { flag }, "ann@example.com created the flag New checkout"],
    [
      "flag.updated",
      { flag, changed: ["name", "tags"] },
      "ann@example.com changed the flag New checkout: name, tags",
    ],
    [
      "flag.updated",
      { flag, environment, strategy, changed: ["enabled"] },
      "ann@example.com turned off New checkout in production",
    ],
    [
      "flag.updated",
      { flag, environment, strategy, changed: ["percentage"] },
      "ann@example.com set the roll-out of New checkout in production to 40 %",
    ],
    [
      "flag.updated",
      { flag, environment, strategy, changed: ["constraints"] },
      "ann@example.com changed the targeting of New checkout in production",
    ],
    [
      "flag.updated",
      { flag, environment, strategy },
      "ann@example.com changed the targeting of New checkout in production",
    ],
    ["flag.archived", { flag }, "ann@example.com archived the flag New checkout"],
    ["flag.unarchived", { flag }, "ann@example.com unarchived the flag New checkout"],
    ["flag.deleted", { flag }, "ann@example.com deleted the flag New checkout"],
    [
      "flag.stale",
      { flag: { ...flag, staleDays: 40 } },
      "The flag New checkout is stale: it has not changed for 40 days",
    ],
    ["segment.updated", { segment }, "ann@example.com changed the segment Beta testers"],
    [
      "integration.test",
      { integration: { name: "Chat" } },
      "ann@example.com sent this test of the integration Chat",
    ],
  ])("of %s with %j is: %s", (type, data, title) => {
    expect(titleOf(type, data)).toBe(title);
  });

  it("names the service for a change by a job", () => {
    expect(titleOf("flag.archived", { flag }, { actorKind: "system" })).toBe(
      "The service archived the flag New checkout",
    );
  });
});

describe("a message to Microsoft Teams", () => {
  it("is an Adaptive Card of text runs, which interpret no markup, with a button", () => {
    const { type, attachments } = JSON.parse(
      chatBody(
        "microsoft_teams",
        anEvent({ reason: "**[x](https://evil.example.com)**" }),
        PUBLIC_URL,
      ),
    );
    expect(type).toBe("message");
    const [{ contentType, contentUrl, content }] = attachments;
    expect({ contentType, contentUrl }).toEqual({
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
    });
    const { body, actions, ...card } = content;
    expect(card).toEqual({
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
    });
    expect(actions).toEqual([
      {
        type: "Action.OpenUrl",
        title: "Open in the dashboard",
        url: "https://flags.example.com/projects/2/flags/12?environment=5",
      },
    ]);
    const blocks = body as { type: string; inlines: { type: string; text: string }[] }[];
    expect(new Set(blocks.map((block) => block.type))).toEqual(new Set(["RichTextBlock"]));
    expect(new Set(blocks.flatMap(({ inlines }) => inlines.map((run) => run.type)))).toEqual(
      new Set(["TextRun"]),
    );
    expect(blocks.map(({ inlines }) => inlines.map(({ text }) => text).join(""))).toEqual([
      "ann@example.com turned on New checkout in production",
      "Project: Shop",
      "Environment: production",
      "Flag key: new-checkout",
      "Now: on for 25 % of users, 1 condition, 2 rules",
      "Reason: **[x](https://evil.example.com)**",
    ]);
  });
});

describe.each(CHAT_SERVICES)("a message to %s", (service) => {
  it("stays below the service's limits with the longest names, key and reason", () => {
    const longest = "<".repeat(1000);
    const event = anEvent({
      projectName: longest,
      actorName: longest,
      reason: longest,
      data: {
        flag: { key: longest, name: longest },
        environment: { id: 5, name: longest },
        strategy: { enabled: true, percentage: 25 },
        changed: ["enabled"],
      },
    });
    const body = chatBody(service, event, PUBLIC_URL);
    expect(new TextEncoder().encode(body).byteLength).toBeLessThan(28_000);
  });
});
