import type { Integration, Schemas } from "../../shared/api/types.ts";
import { EVENTS, type EventName } from "./events.ts";

/** Sent in the place of a header's value, it keeps what is stored. */
const VALUE_MASK = "********";

/** Standard Webhooks 1.0.0: 24 to 64 random bytes. */
const SECRET_BYTES = 32;

interface Config {
  readonly url: string;
  /** Masked, but for the answer that has made it. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Both are JSON in a string on the wire; the service writes them as they are typed here. */
export const configOf = ({ configJson }: Pick<Integration, "configJson">): Config =>
  JSON.parse(configJson) as Config;

export const eventsOf = (integration: Pick<Integration, "eventSubscriptionsJson">): EventName[] => {
  const names = JSON.parse(integration.eventSubscriptionsJson) as readonly string[];
  return EVENTS.filter((event) => names.includes(event));
};

export interface Header {
  name: string;
  value: string;
  /** The service has a value for it, which it does not show. */
  isStored: boolean;
}

/** What a person types and chooses. */
export type IntegrationFields = {
  name: string;
  url: string;
  events: EventName[];
  headers: Header[];
};

export const NEW_FIELDS: IntegrationFields = {
  name: "",
  url: "",
  events: [...EVENTS],
  headers: [],
};

export function fieldsOf(integration: Integration): IntegrationFields {
  const { url, headers } = configOf(integration);
  return {
    name: integration.name,
    url,
    events: eventsOf(integration),
    headers: Object.keys(headers).map((name) => ({ name, value: "", isStored: true })),
  };
}

/** For a new integration and for a change of one: the secret stays as it is. */
export function toBody({ name, url, events, headers }: IntegrationFields) {
  const values = headers.map(({ name: header, value, isStored }) => [
    header.trim(),
    isStored && value === "" ? VALUE_MASK : value.trim(),
  ]);
  return {
    name,
    configJson: JSON.stringify({ url: url.trim(), headers: Object.fromEntries(values) }),
    eventSubscriptionsJson: JSON.stringify(events),
  } satisfies Schemas["UpdateIntegration"];
}

/** The service makes the first one itself, and takes any other one from whoever changes it. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}
