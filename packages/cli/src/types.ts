/** The types of the management API, from the API description (`npm run client`). */
import type { components, paths } from "./schema.d.ts";

export type Method = "GET" | "POST";

/** A path with a number for each parameter, such as `/flags/7` for `/flags/{id}`. */
type Filled<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${number}${Filled<Rest>}`
  : Path;

/** A path of an operation below `/api/v1`, with its parameters. */
export type PathOf<M extends Method> = {
  [Name in keyof paths]: paths[Name][Lowercase<M>] extends object
    ? Name extends `/api/v1${infer Path}`
      ? Filled<Path>
      : never
    : never;
}[keyof paths];

type OperationOf<M extends Method, P extends string> = {
  [Name in keyof paths]: `/api/v1${P}` extends Filled<Name> ? paths[Name][Lowercase<M>] : never;
}[keyof paths];

/** The body of a success. */
export type BodyOf<M extends Method, P extends string> =
  OperationOf<M, P> extends { readonly responses: infer Responses }
    ? Responses[keyof Responses & (200 | 201 | 202)] extends {
        readonly content: { readonly "application/json": infer Body };
      }
      ? Body
      : undefined
    : never;

/** The query parameters. One that is undefined is not sent. */
export type QueryOf<P extends string> =
  OperationOf<"GET", P> extends { readonly parameters: { readonly query?: infer Query } }
    ? { readonly [Name in keyof Query]: Query[Name] | undefined }
    : never;

/** An item of a list with pages. */
export type ItemOf<P extends string> =
  BodyOf<"GET", P> extends { readonly items: readonly (infer Item)[]; readonly totalPages: number }
    ? Item
    : never;

type Schemas = components["schemas"];
export type AuditPage = Schemas["AuditPage"];
export type AuditRecord = Schemas["AuditRecord"];
export type ChangeRequest = Schemas["ChangeRequest"];
export type CurrentToken = Schemas["CurrentToken"];
export type Environment = Schemas["Environment"];
export type FilePlan = Schemas["FilePlan"];
export type Flag = Schemas["Flag"];
export type FlagInEnvironment = Schemas["FlagInEnvironment"];
export type Project = Schemas["Project"];
export type Strategy = Schemas["Strategy"];
