/** The events that an integration can subscribe to. src/db/outbox.ts has the same list. */
export const EVENT_GROUPS = [
  {
    group: "flag",
    events: ["flag.created", "flag.updated", "flag.archived", "flag.unarchived", "flag.deleted"],
  },
  { group: "segment", events: ["segment.created", "segment.updated", "segment.deleted"] },
] as const;

export type EventName = (typeof EVENT_GROUPS)[number]["events"][number];

export const EVENTS: readonly EventName[] = EVENT_GROUPS.flatMap<EventName>(({ events }) => events);

/** The event that a test delivery contains. Integrations cannot subscribe to it. */
export const TEST_EVENT = "integration.test";
