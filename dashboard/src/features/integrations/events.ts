/** The events an integration can subscribe to, as in src/db/outbox.ts. */
export const EVENT_GROUPS = [
  {
    group: "flag",
    events: ["flag.created", "flag.updated", "flag.archived", "flag.unarchived", "flag.deleted"],
  },
  { group: "segment", events: ["segment.created", "segment.updated", "segment.deleted"] },
] as const;

export type EventName = (typeof EVENT_GROUPS)[number]["events"][number];

export const EVENTS: readonly EventName[] = EVENT_GROUPS.flatMap<EventName>(({ events }) => events);

/** The event of a test delivery; integrations cannot subscribe to it. */
export const TEST_EVENT = "integration.test";
