import { type DemoFlag, when } from "./demo-flag.ts";

/**
 * The flags of the demo with values, ordered rules and prerequisites: a string flag with a split, a
 * JSON flag with a schema, a number flag with two ordered rules, and a flag with a prerequisite.
 */
export const VALUE_FLAGS: readonly DemoFlag[] = [
  {
    key: "home-headline",
    name: "Headline of the home page",
    description: "Which one sells best? Each visitor always reads the same",
    flagType: "RELEASE",
    tags: ["growth", "frontend"],
    valueType: "string",
    variants: [
      { key: "summit", value: "Gear up for the summit" },
      { key: "trail", value: "Find your next trail" },
      { key: "classic", value: "Outdoor gear since 1987", description: "The one from before" },
    ],
    production: {
      enabled: true,
      percentage: 100,
      serve: { weights: { summit: 34, trail: 33, classic: 33 } },
    },
  },
  {
    key: "delivery-terms",
    name: "Delivery terms",
    description: "Carriers, free delivery, and until when an order leaves the same day",
    flagType: "RELEASE",
    tags: ["checkout", "logistics"],
    valueType: "json",
    variants: [
      {
        key: "standard",
        value: { carriers: ["DHL"], freeFrom: 75, sameDayUntil: "14:00" },
      },
      {
        key: "generous",
        value: { carriers: ["DHL", "UPS"], freeFrom: 40, sameDayUntil: "18:00" },
        description: "What the new warehouse can do",
      },
    ],
    offVariant: "standard",
    valueSchema: {
      type: "object",
      required: ["carriers", "freeFrom", "sameDayUntil"],
      additionalProperties: false,
      properties: {
        carriers: { type: "array", items: { enum: ["DHL", "DPD", "UPS"] }, minItems: 1 },
        freeFrom: { type: "number", minimum: 0 },
        sameDayUntil: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" },
      },
    },
    production: {
      enabled: true,
      percentage: 12.5,
      constraints: [when("country", "string", "in", ["DE", "AT"])],
      serve: { variant: "generous" },
    },
  },
  {
    key: "discount",
    name: "Discount in per cent",
    description: "What the cart takes off the price",
    flagType: "RELEASE",
    tags: ["checkout", "growth"],
    valueType: "number",
    variants: [
      { key: "none", value: 0 },
      { key: "loyal", value: 5 },
      { key: "staff", value: 15 },
    ],
    offVariant: "none",
    production: {
      enabled: true,
      percentage: 100,
      rules: [
        { name: "Staff", percentage: 100, segments: ["Staff"], serve: { variant: "staff" } },
        {
          name: "Loyal customers",
          percentage: 100,
          segments: ["Loyal customers", "EU customers"],
          serve: { variant: "loyal" },
        },
      ],
      serve: { variant: "none" },
    },
  },
  {
    key: "gift-wrapping",
    name: "Gift wrapping",
    description: "A box to tick; the old checkout has no place for it",
    flagType: "RELEASE",
    tags: ["checkout"],
    prerequisites: [{ flagKey: "new-checkout" }],
    production: { enabled: true, percentage: 100 },
  },
];
