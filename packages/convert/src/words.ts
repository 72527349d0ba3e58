/**
 * Why a flag is not the same after the conversion, or why it was left out, in English. `{{name}}` stands
 * for a detail of the reason. The dashboard has the same texts in other languages.
 */
export const REASONS = {
  // Any service
  changedRequirement: "requires the flag {{flag}}, which changes",
  constraint: "the service does not accept a constraint on {{field}}",
  constraintValue: "the service does not accept the value {{value}} of a constraint on {{field}}",
  flagKey: "the name is no valid key of a flag",
  missingRequirement: "requires the flag {{flag}}, which is left out or unknown",
  missingVariant: "requires the variant {{variant}} of the flag {{flag}}, which does not have it",
  nestedField: "compares {{field}} inside an object; pass it as a field of this name",
  presentTime:
    "compares the present time, which the application must now pass as the field currentTime",
  otherDates: "compares {{field}} as a time; other texts count as times now, such as a date alone",
  otherTypes:
    'compares {{field}} with a number or a boolean; other texts count as one now, for example not " 18"',
  otherVersions:
    "compares {{field}} as a version; only complete versions count now: 1.2.0, not 1.2 or v1.2.0",
  prerequisitesDiffer: "requires other flags in another environment",
  tooManyConstraints: "has {{count}} constraints in a rule or a segment; {{limit}} are possible",
  tooManyRules: "needs more than {{limit}} rules",
  tooManySegments: "has {{count}} segments in a rule; {{limit}} are possible",
  tooManyValues: "has {{count}} values of a constraint on {{field}}; {{limit}} are possible",
  unknownOperator: "the operator {{operator}} has no equivalent",
  unreadable: "has no value, or a value of the wrong type, at {{place}}",
  usersMove: "has a percentage roll-out, which now selects other users",
  variantKey: "the name of the variant {{variant}} is no valid key",
  variantValues: "the variant {{variant}} has different values",
  valueTypes: "has values of several types",

  // Unleash
  addedField: "compares {{field}}, which the application must now pass in the context",
  groupIdNotAscii: "has a group id with other characters than ASCII, so other users are included",
  greekCase:
    "ignores the case of Greek letters in {{field}}; more forms of a letter count as the same now, such as σ and ς",
  impressionData: "sends impression data; this service sends none",
  invertedOperator:
    "inverts {{operator}}, so the flag is off in SDKs of Unleash that use this service",
  ipv6Blocks: "has blocks of IPv6 addresses, which the strategy remoteAddress of Unleash ignores",
  longGroupId: "has a group id of {{count}} characters; {{limit}} are possible",
  mixedPayloads: "has payloads of several types, or variants without one; all values are texts now",
  nestedRequirement:
    "requires the flag {{flag}}, which requires others; in Unleash such a flag is off",
  noParameters: "the strategy {{strategy}} has no parameters",
  noStrategies: "has no list of strategies, and is off for everybody now",
  noValues: "a constraint {{operator}} on {{field}} has no values",
  noGroupId: "a roll-out has no group id",
  randomRollOut: "a roll-out chooses its users at random",
  randomVariants: "variants are drawn at random",
  someVariants: "only some strategies or environments have variants",
  splitField: "chooses variants by userId alone, no longer by sessionId where it is missing",
  splitSlots: "the split needs {{count}} slots, which are too many",
  splitWeights: "the weights of the variants add up to {{total}}, which does not divide 1,000",
  unknownStrategy: "the strategy {{strategy}} does not exist here",

  // LaunchDarkly
  anonymous: "compares anonymous, which the application must now pass as true or false",
  bigSegment: "uses the big segment {{segment}}",
  contextKind: "uses contexts of the kind {{kind}}; pass {{field}} as a field of the context",
  experiment: "sends events, for example to an experiment; this service sends none",
  kindAttribute: "compares the kind of a context",
  malformed: "is not in the form of the API of LaunchDarkly",
  mixedValues: "compares {{field}} with values of several types, which are texts now",
  noSegments: "uses the segment {{segment}}, and the segments of the environment are missing",
  offVariation: "serves {{variant}} while it is off, and another variant in another environment",
  permanent: "is permanent, so its type is kill switch here; this changes no value",
  regexDialect: "compares {{field}} with a regular expression, which may mean something else now",
  requiredOff: "requires a variant that the flag {{flag}} also serves while it is off",
  segmentCycle: "uses the segment {{segment}}, which refers to itself",
  segmentRollOut: "uses the segment {{segment}}, which contains a percentage of users",

  // flagd
  logic: "has targeting that cannot be expressed with rules: {{operator}}",
  truthiness: "checks whether {{field}} is set at all; the texts 0 and false do not count now",
  unknownReference: "refers to the evaluator {{name}}, which does not exist",
  unknownVariant: "serves the variant {{variant}}, which it does not have",
} as const;

/** Why documents cannot be converted at all, in English. */
export const FAULTS = {
  otherService: "{{document}} is no document of {{service}}",
  noFlags: "None of the documents has flags",
  severalServices: "The documents belong to several services",
  unknownDocument: "{{document}} is no document that can be converted",
  unknownEnvironment: "The documents have no environment {{environment}}",
  lacksSegments:
    "{{document}} is an export, which lacks the constraints of segments: add the response of GET /api/admin/segments",
  summary: "{{document}} lacks the rules of the flags: ask LaunchDarkly with summary=0",
  pages: "{{document}} has {{count}} of {{total}} items: add the other pages",
  segmentEnvironment: "{{document}} does not say to which environment its segments belong",
} as const;

/** The names in the placeholders of a text. */
type Placeholder<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The arguments that a text needs: an object with its details, or nothing. */
export type DetailsOf<T extends string> = [Placeholder<T>] extends [never]
  ? []
  : [details: Readonly<Record<Placeholder<T>, string | number>>];

export type Details = Readonly<Record<string, string | number>>;
export type ReasonCode = keyof typeof REASONS;
export type FaultCode = keyof typeof FAULTS;

/** Returns a text with its details. */
export const filled = (text: string, details: Details): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(details[name] ?? ""));
