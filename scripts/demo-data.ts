import type { Constraint } from "@feature-flags/evaluation/rule";
import { type DemoFlag, type DemoStrategy, when } from "./demo-flag.ts";
import { VALUE_FLAGS } from "./demo-value-flags.ts";

export const PROJECT = {
  name: "Alpenglow Outfitters",
  description: "The web shop and the apps: outdoor gear, sold in Europe and North America",
};

/** The environments of the demo project, in the order in which a release passes through them. */
export const ENVIRONMENTS = ["development", "staging", "production"] as const;
export type DemoEnvironment = (typeof ENVIRONMENTS)[number];

export const KEY_TYPES = ["SERVER", "FRONTEND"] as const;
export type DemoKeyType = (typeof KEY_TYPES)[number];
export const KEY_NAMES: Readonly<Record<DemoKeyType, string>> = {
  SERVER: "Shop backend",
  FRONTEND: "Web storefront",
};

const EU = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(
  " ",
);

export const SEGMENTS: readonly {
  readonly name: string;
  readonly description: string;
  readonly constraints: readonly Constraint[];
}[] = [
  {
    name: "EU customers",
    description: "Delivery address in the European Union",
    constraints: [when("country", "string", "in", EU)],
  },
  {
    name: "Beta testers",
    description: "Opted in on the account page",
    constraints: [when("betaTester", "boolean", "equals", ["true"])],
  },
  {
    name: "Loyal customers",
    description: "Five orders or more",
    constraints: [when("orders", "number", "gte", ["5"])],
  },
  {
    name: "Staff",
    description: "Signed in with an address of the company",
    constraints: [
      {
        ...when("email", "string", "endsWith", ["@alpenglow.example"]),
        caseInsensitive: true,
      },
    ],
  },
  {
    name: "Warehouse network",
    description: "The scanners and terminals in Innsbruck",
    constraints: [when("ip", "ip", "in", ["203.0.113.0/24", "2001:db8:40::/48"])],
  },
];

/** The flags of the demo. A required flag precedes the flags that require it. */
export const FLAGS: readonly DemoFlag[] = [
  {
    key: "new-checkout",
    name: "One-page checkout",
    description: "Address, delivery and payment on one page",
    flagType: "RELEASE",
    tags: ["checkout", "frontend"],
    production: { enabled: true, percentage: 25 },
  },
  {
    key: "express-delivery",
    name: "Express delivery",
    description: "Next-day delivery where the carrier offers it",
    flagType: "RELEASE",
    tags: ["checkout", "logistics"],
    production: {
      enabled: true,
      percentage: 100,
      constraints: [when("country", "string", "in", ["DE", "AT", "CH", "NL"])],
    },
  },
  {
    key: "apple-pay",
    name: "Apple Pay",
    description: "Needs the payment sheet of app version 5.2",
    flagType: "RELEASE",
    tags: ["checkout", "payments", "mobile"],
    production: {
      enabled: true,
      percentage: 50,
      constraints: [
        when("platform", "string", "equals", ["ios"]),
        when("appVersion", "semver", "gte", ["5.2.0"]),
      ],
    },
  },
  {
    key: "gift-cards",
    name: "Gift cards",
    description: "Sold in the EU only until tax rules elsewhere are settled",
    flagType: "RELEASE",
    tags: ["growth"],
    production: { enabled: true, percentage: 100, segments: ["EU customers"] },
  },
  {
    key: "recommendations",
    name: "Gear recommendations",
    description: '"Goes well with" on the product page; the same for a whole visit',
    flagType: "RELEASE",
    tags: ["growth", "frontend"],
    production: { enabled: true, percentage: 50, stickiness: "sessionId" },
  },
  {
    key: "semantic-search",
    name: "Semantic search",
    description: "The new index; expensive, so one percent first",
    flagType: "RELEASE",
    tags: ["search"],
    production: { enabled: true, percentage: 1 },
  },
  {
    key: "dark-mode",
    name: "Dark mode",
    description: "For those who asked for it",
    flagType: "RELEASE",
    tags: ["frontend"],
    production: { enabled: true, percentage: 100, segments: ["Beta testers"] },
  },
  {
    key: "winter-sale",
    name: "Winter sale",
    description: "Prices and banner, for loyal customers first",
    flagType: "RELEASE",
    tags: ["growth"],
    production: {
      enabled: true,
      percentage: 100,
      constraints: [
        when("now", "date", "gte", ["2027-01-07T00:00:00Z"]),
        when("now", "date", "lt", ["2027-02-01T00:00:00Z"]),
      ],
      segments: ["Loyal customers"],
    },
  },
  {
    key: "pick-by-light",
    name: "Pick by light",
    description: "The new picking screens of the warehouse",
    flagType: "RELEASE",
    tags: ["logistics"],
    production: { enabled: false, percentage: 100, segments: ["Warehouse network"] },
  },
  {
    key: "paypal",
    name: "PayPal",
    description: "Switch off when PayPal has trouble; the other ways to pay stay",
    flagType: "KILLSWITCH",
    tags: ["payments"],
    production: { enabled: true, percentage: 100 },
  },
  {
    key: "order-emails",
    name: "Order e-mails",
    description: "Switch off when the mail provider is down; they are sent later",
    flagType: "KILLSWITCH",
    tags: ["operations"],
    production: { enabled: true, percentage: 100 },
  },
  {
    key: "guest-reviews",
    name: "Reviews by guests",
    description: "Off since the spam of last autumn; staff can still try it",
    flagType: "KILLSWITCH",
    tags: ["operations"],
    production: { enabled: true, percentage: 100, segments: ["Staff"] },
  },
  ...VALUE_FLAGS,
];

/**
 * Returns the strategy of a demo flag in an environment. In development every flag is on for
 * everybody. In staging every flag is on, with production's conditions but without the percentage.
 */
export function strategyIn(environment: DemoEnvironment, { production }: DemoFlag): DemoStrategy {
  if (environment === "production") return production;
  const { serve, ...staging } = { ...production, enabled: true, percentage: 100 };
  const served = serve ? { serve } : {};
  return environment === "staging"
    ? { ...staging, ...served }
    : { enabled: true, percentage: 100, ...served };
}

/**
 * The request body of the example evaluation that `npm start` prints as a curl command. The context
 * is a customer in Germany.
 */
export const EVALUATION = {
  context: { targetingKey: "customer-1007", country: "DE", appVersion: "5.3.1" },
  toggles: ["new-checkout", "express-delivery"],
};

/** A change of the demo that waits for somebody to apply it. */
export const CHANGE_REQUEST = {
  title: "Half of the customers get the one-page checkout",
  flagKey: "new-checkout",
  input: { percentage: 50 },
};
