import type { WebhookEvent } from "./webhook.ts";

/** The chat services for which the service formats messages, as incoming webhooks. */
export const CHAT_SERVICES = ["slack", "microsoft_teams"] as const;
export type ChatService = (typeof CHAT_SERVICES)[number];

/** An event with what a message about it says besides. */
export interface ChatEvent extends WebhookEvent {
  /** Null if the project is deleted. */
  readonly projectName: string | null;
}

/**
 * The most characters of a name in the sentence, and of a value below it. They keep a message short.
 * Teams accepts 28 KB for a message, and escaping makes a text up to six times as long.
 */
const MAX_NAME = 120;
const MAX_VALUE = 300;

/** A message, before a chat service's format. */
interface Message {
  /** A sentence: who changed what. */
  readonly title: string;
  /** Labels and values: where and why. */
  readonly facts: readonly (readonly [string, string])[];
  /** The page of the changed resource in the dashboard. */
  readonly url: string | undefined;
}

/**
 * Returns the request body of a message about an event, as JSON.
 * @param publicUrl the base URL of the dashboard; without it, the message has no link
 */
export function chatBody(
  service: ChatService,
  event: ChatEvent,
  publicUrl: string | undefined,
): string {
  const message = messageOf(event, publicUrl);
  return JSON.stringify(service === "slack" ? slackMessage(message) : teamsMessage(message));
}

/** A resource in the data of an event. */
interface Described {
  readonly id?: number;
  readonly key?: string;
  readonly name?: string;
  readonly staleDays?: number;
}

/** The part of a strategy in an event that a message tells. */
interface DescribedStrategy {
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints?: readonly unknown[];
  readonly segmentIds?: readonly unknown[];
  readonly rules?: readonly unknown[];
}

/** The parts of an event's data that a message tells. */
interface ChatData {
  readonly flag?: Described;
  readonly segment?: Described;
  readonly integration?: Described;
  readonly environment?: Described;
  readonly changeRequest?: { readonly title: string };
  readonly strategy?: DescribedStrategy;
  readonly changed?: readonly string[];
}

function messageOf(event: ChatEvent, publicUrl: string | undefined): Message {
  const { projectName, reason } = event;
  const data = event.data as ChatData;
  const { flag, environment, strategy } = data;
  const facts = [
    ["Project", projectName],
    ["Environment", environment?.name],
    ["Flag key", flag?.key],
    ["Now", strategy && stateOf(strategy)],
    ["Reason", reason],
  ] as const;
  return {
    title: titleOf(event, data),
    facts: facts.flatMap(([label, value]) =>
      typeof value === "string" ? [[label, shortened(value, MAX_VALUE)] as const] : [],
    ),
    url: publicUrl === undefined ? undefined : pageOf(event, data, publicUrl),
  };
}

/** Returns the sentence of a message. */
function titleOf({ type, actorKind, actorName }: ChatEvent, data: ChatData): string {
  const [entity = "", verb = ""] = type.split(".");
  const { environment, strategy, changed = [] } = data;
  const { name = "", staleDays } =
    data.flag ?? data.segment ?? data.integration ?? environment ?? {};
  const subject = shortened(name, MAX_NAME);
  const who = actorKind === "system" ? "The service" : shortened(actorName, MAX_NAME);
  if (entity === "integration") return `${who} sent this test of the integration ${subject}`;
  if (entity === "change-request") {
    const request = `the change request ${shortened(data.changeRequest?.title ?? "", MAX_NAME)}`;
    if (verb === "outdated" || verb === "blocked")
      return `${who} does not apply ${request} at its time, because it is ${verb}`;
    return `${who} ${verb} ${request}`;
  }
  if (entity === "ramp") {
    const where = shortened(environment?.name ?? "", MAX_NAME);
    return `${who} ${verb === "stepped" ? "advanced" : verb} the ramp of ${subject} in ${where}`;
  }
  if (entity === "environment") return `${who} changed the protection of ${subject}`;
  if (verb === "stale")
    return `The flag ${subject} is stale: it has not changed for ${staleDays} days`;
  if (environment && strategy) {
    const where = shortened(environment.name ?? "", MAX_NAME);
    if (changed.includes("enabled"))
      return `${who} turned ${strategy.enabled ? "on" : "off"} ${subject} in ${where}`;
    if (changed.length === 1 && changed[0] === "percentage")
      return `${who} set the roll-out of ${subject} in ${where} to ${strategy.percentage} %`;
    return `${who} changed the targeting of ${subject} in ${where}`;
  }
  const done = verb === "updated" ? "changed" : verb;
  const fields = verb === "updated" && changed.length > 0 ? `: ${changed.join(", ")}` : "";
  return `${who} ${done} the ${entity} ${subject}${fields}`;
}

/** Returns the state of a strategy in a few words, such as "on for 25 % of users, 2 rules". */
function stateOf(strategy: DescribedStrategy): string {
  if (!strategy.enabled) return "off";
  const { percentage, constraints = [], segmentIds = [], rules = [] } = strategy;
  const conditions = constraints.length + segmentIds.length;
  return [
    percentage === 100 ? "on" : `on for ${percentage} % of users`,
    ...(conditions > 0 ? [counted(conditions, "condition")] : []),
    ...(rules.length > 0 ? [counted(rules.length, "rule")] : []),
  ].join(", ");
}

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** Cuts a text to at most `max` characters. */
const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;

/** Returns the URL of the changed resource's page; undefined if it is deleted or has no page. */
function pageOf(
  { type, projectId, entityId }: ChatEvent,
  { environment, flag }: ChatData,
  base: string,
): string | undefined {
  const [entity, verb] = type.split(".");
  if (verb === "deleted") return undefined;
  if (entity === "environment") return new URL(`/projects/${projectId}/environments`, base).href;
  const query = environment ? `?environment=${environment.id}` : "";
  if (entity === "ramp" && flag)
    return new URL(`/projects/${projectId}/flags/${flag.id}${query}`, base).href;
  return new URL(`/projects/${projectId}/${entity}s/${entityId}${query}`, base).href;
}

/**
 * Returns a message for an incoming webhook of Slack
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). `text` is for
 * notifications. Uses rich text, because other blocks interpret markup in the names.
 */
function slackMessage({ title, facts, url }: Message): object {
  const text = (content: string, style?: { readonly bold: true }) => ({
    type: "text",
    text: content,
    ...(style && { style }),
  });
  const bold = { bold: true } as const;
  const line = (...elements: readonly object[]) => ({ type: "rich_text_section", elements });
  const link = { type: "link", url, text: "Open in the dashboard" };
  const elements = [
    line(text(title), ...(url === undefined ? [] : [text("\n"), link])),
    ...facts.map(([label, value]) => line(text(`${label}: `, bold), text(value))),
  ];
  return { text: slackText(title), mrkdwn: false, blocks: [{ type: "rich_text", elements }] };
}

/** Escapes the characters that begin a link or a mention also in a text without markup. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Returns a message with an Adaptive Card, as the webhooks of Microsoft Teams' workflows expect it
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 * Uses text runs, because other text elements interpret markup in the names.
 */
function teamsMessage({ title, facts, url }: Message): object {
  const line = (...inlines: readonly object[]) => ({ type: "RichTextBlock", inlines });
  const run = (text: string, weight: "Default" | "Bolder" = "Default") => ({
    type: "TextRun",
    text,
    weight,
  });
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            line(run(title, "Bolder")),
            ...facts.map(([label, value]) => line(run(`${label}: `, "Bolder"), run(value))),
          ],
          ...(url !== undefined && {
            actions: [{ type: "Action.OpenUrl", title: "Open in the dashboard", url }],
          }),
        },
      },
    ],
  };
}
