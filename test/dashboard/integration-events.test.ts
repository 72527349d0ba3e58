import { expect, it } from "vitest";
import {
  EVENT_GROUPS,
  EVENTS,
  hasEveryEvent,
  withEvents,
} from "../../dashboard/src/features/integrations/events.ts";
import { fieldsOf, toBody } from "../../dashboard/src/features/integrations/integration-fields.ts";
import { messages as german } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages as english } from "../../dashboard/src/shared/i18n/en/index.ts";
import { EVENT_TYPES } from "../../src/db/outbox.ts";
import { createTranslation } from "../../dashboard/src/shared/i18n/translate.ts";

it.each([
  ["en", english],
  ["de", german],
] as const)("every event and every group of events has a text: %s", (language, messages) => {
  const { t, add } = createTranslation(language, language);
  add(messages);
  expect(EVENTS).toEqual(EVENT_TYPES);
  expect(EVENT_GROUPS.flatMap(({ events }) => events)).toEqual(EVENT_TYPES);
  for (const event of EVENTS) expect(t(`integrations.eventNames.${event}`)).not.toContain(".");
  for (const { group } of EVENT_GROUPS)
    expect(t(`integrations.groups.${group}`)).not.toContain("integrations.");
});

const integration = {
  type: "slack",
  name: "Chat",
  configJson: '{"url":"https://example.com"}',
  eventSubscriptionsJson: '["flag.created","flag.tagged"]',
} as Parameters<typeof fieldsOf>[0];

it("an integration that is saved keeps the events that the page does not know", () => {
  expect(toBody(fieldsOf(integration)).eventSubscriptionsJson).toBe(
    integration.eventSubscriptionsJson,
  );
});

it("a choice of events keeps the events that the page does not know", () => {
  const { events } = fieldsOf(integration);
  expect(withEvents(events, ["ramp.started"], true)).toEqual([
    "flag.created",
    "ramp.started",
    "flag.tagged",
  ]);
  expect(withEvents(events, EVENTS, false)).toEqual(["flag.tagged"]);
  expect(hasEveryEvent(withEvents(events, EVENTS, true))).toBe(true);
});
