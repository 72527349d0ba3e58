import type { components } from "./schema.d.ts";

export type Schemas = components["schemas"];

export type User = Schemas["User"];
export type Role = User["role"];
export type SessionResponse = Schemas["Session"];
export type ErrorBody = Schemas["Error"];
export type FieldError = NonNullable<ErrorBody["details"]>[number];

export type Project = Schemas["Project"];
export type Environment = Schemas["Environment"];
export type Flag = Schemas["Flag"];
export type FlagWithRelated = Schemas["FlagWithRelated"];
export type EnrichedFlag = Schemas["EnrichedFlag"];
export type ValueType = Flag["valueType"];
export type Variant = Schemas["Variant"];
export type Prerequisite = Schemas["Prerequisite"];
export type Strategy = Schemas["Strategy"];
export type Rule = Schemas["StrategyRule"];
export type Constraint = Schemas["Constraint"];
export type Segment = Schemas["Segment"];
export type Tag = Schemas["Tag"];
export type ContextDefinition = Schemas["ContextDefinition"];
export type ContextValue = Schemas["ContextValue"];
export type ApiKey = Schemas["ApiKey"];
export type Token = Schemas["Token"];
export type ServiceAccount = Schemas["ServiceAccount"];
export type Integration = Schemas["Integration"];
export type Delivery = Schemas["Delivery"];
export type ChangeRequest = Schemas["ChangeRequest"];
/** A change of one flag, segment or strategy in a new change request. */
export type RequestOperation = Schemas["NewChangeRequest"]["operations"][number];
export type AuditRecord = Schemas["AuditRecord"];
export type Reverted = Schemas["Reverted"];

/** What a strategy, or one of its ordered rules, serves: one variant, or a weighted split. */
export type Serve =
  | { readonly variant: string }
  | { readonly weights: Readonly<Record<string, number>> };
