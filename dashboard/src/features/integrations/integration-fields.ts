import type { Integration, Schemas } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";
import { EVENTS } from "./events.ts";

/**
 * The mask that the API returns instead of the value of a header. A request with the mask keeps the
 * stored value.
 */
const VALUE_MASK = "********";

/** The mask that the API returns instead of the signing secret. */
export const SECRET_MASK = "whsec_********";

/**
 * The length of a signing secret in bytes. Standard Webhooks 1.0.0 requires 24 to 64 random bytes.
 */
const SECRET_BYTES = 32;

/** What an integration sends: signed webhook requests, or messages to a chat service. */
export const INTEGRATION_TYPES = every<IntegrationType>()([
  "custom_webhook",
  "slack",
  "microsoft_teams",
]);
type IntegrationType = Integration["type"];

interface Config {
  readonly url: string;
  /**
   * The signing secret. Only the response to the request that generated it contains it; all other
   * responses contain `SECRET_MASK`. Undefined for a chat service.
   */
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parses the configuration of an integration, which the API represents as JSON text. */
export const configOf = ({ configJson }: Pick<Integration, "configJson">): Config =>
  JSON.parse(configJson) as Config;

/** Returns the names of the subscribed events, also of those that this release does not know. */
export const eventsOf = (integration: Pick<Integration, "eventSubscriptionsJson">) =>
  JSON.parse(integration.eventSubscriptionsJson) as string[];

export interface Header {
  name: string;
  value: string;
  /** True if the service stores a value for this header, which it does not return. */
  isStored: boolean;
}

export type IntegrationFields = {
  type: IntegrationType;
  name: string;
  url: string;
  events: string[];
  headers: Header[];
};

export const NEW_FIELDS: IntegrationFields = {
  type: "custom_webhook",
  name: "",
  url: "",
  events: [...EVENTS],
  headers: [],
};

export function fieldsOf(integration: Integration): IntegrationFields {
  const { url, headers = {} } = configOf(integration);
  return {
    type: integration.type,
    name: integration.name,
    url,
    events: eventsOf(integration),
    headers: Object.keys(headers).map((name) => ({ name, value: "", isStored: true })),
  };
}

/**
 * Returns the configuration without a signing secret. An update then keeps the stored secret,
 * unless the host changes.
 */
export function toBody({ type, name, url, events, headers }: IntegrationFields) {
  const values = headers.map(({ name: header, value, isStored }) => [
    header.trim(),
    isStored && value === "" ? VALUE_MASK : value.trim(),
  ]);
  return {
    type,
    name,
    configJson: JSON.stringify({
      url: url.trim(),
      ...(type === "custom_webhook" && { headers: Object.fromEntries(values) }),
    }),
    eventSubscriptionsJson: JSON.stringify(events),
  } satisfies Schemas["UpdateIntegration"];
}

/** Generates a signing secret that replaces the stored one. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}
