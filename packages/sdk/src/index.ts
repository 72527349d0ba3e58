export { createClient, createOfflineClient, type FlagClient } from "./client.ts";
export type { ClientState, ClientStatus } from "./connection.ts";
export type { ChangeEvent, ClientEvents, Listener } from "./emitter.ts";
export type { AllOptions, Details, ErrorCode, FlagResult, JsonValue } from "./evaluator.ts";
export { type FailureCode, FlagClientError } from "./failure.ts";
export type {
  AnyFlags,
  DeepReadonly,
  EvaluationContext,
  FlagKey,
  FlagValue,
  OfflineFlags,
} from "./flag-types.ts";
export type { ClientOptions, SnapshotOrNone, SnapshotSource } from "./options.ts";
export type { Clock, Logger } from "./ports.ts";
export type { ValueType } from "./rule-store.ts";
export type { Snapshot } from "./snapshot.ts";
export type {
  Activation,
  ClientRule,
  Constraint,
  OrderedRule,
  Prerequisite,
  Reason,
  RuleSegment,
} from "@feature-flags/evaluation/rule";
