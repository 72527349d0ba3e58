import type { Integration, Schemas } from "../../shared/api/types.ts";
import { EVENTS, type EventName } from "./events.ts";

/** Sent instead of a header value, the mask keeps the stored value. */
const VALUE_MASK = "********";

/** Standard Webhooks 1.0.0: 24 to 64 random bytes. */
const SECRET_BYTES = 32;

interface Config {
  readonly url: string;
  /** Masked, except in the response that created it. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The API transports `config` and the event list as JSON strings. */
export const configOf = ({ configJson }: Pick<Integration, "configJson">): Config =>
  JSON.parse(configJson) as Config;

export const eventsOf = (integration: Pick<Integration, "eventSubscriptionsJson">): EventName[] => {
  const names = JSON.parse(integration.eventSubscriptionsJson) as readonly string[];
  return EVENTS.filter((event) => names.includes(event));
};

export interface Header {
  name: string;
  value: string;
  /** The service stores a value for this header and does not return it. */
  isStored: boolean;
}

/** Values of the form. */
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

/**
 * The request body to create or update an integration. Without a secret the service keeps the
 * stored one.
 */
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

/**
 * A new signing secret. The service generates the first one; to replace it, the client sends a new
 * one.
 */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}
