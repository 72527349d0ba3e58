import { queryOptions, useMutation } from "@tanstack/react-query";
import type { UseMutationOptions, UseQueryOptions } from "@tanstack/react-query";
import type { ClientPathsWithMethod, MethodResponse, RequestOptions } from "openapi-fetch";
import { api } from "./client.ts";
import { type Direct, etag, fetchAllPages, type Fetched } from "./response.ts";
import type { paths } from "./schema.d.ts";

// Queries and mutations of a path and its input, as those of openapi-react-query. That package has no
// pages of a list and no `If-Match` of a version, and its queries do not exclude change requests.

type Method = "get" | "post" | "put" | "delete";
type Path<M extends Method> = ClientPathsWithMethod<typeof api, M>;
type Data<M extends Method, P extends Path<M>> = Direct<MethodResponse<typeof api, M, P>>;
/** The parameters and the body of a request. `ifMatch` is the version that the item must have. */
type Input<M extends Method, P extends Path<M>> = paths[P][M] extends { parameters: infer Params }
  ? Omit<Params, "cookie"> &
      Pick<RequestOptions<paths[P][M]>, "body"> & { ifMatch?: number | string }
  : never;
type Args<I, O = never> = {} extends I ? [input?: I, options?: O] : [input: I, options?: O];
type ReadOptions<T, S> = Omit<UseQueryOptions<T, Error, S>, "queryKey" | "queryFn">;

interface AnyInput {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly body?: unknown;
  readonly ifMatch?: number | string;
}

function request(method: Method, path: string, input: AnyInput = {}, signal?: AbortSignal) {
  const { ifMatch, body, ...params } = input;
  const header = { ...params.header, ...(ifMatch !== undefined && { "If-Match": etag(ifMatch) }) };
  const init = { params: { ...params, header }, body, ...(signal && { signal }) };
  // The compiler has checked the input of `send`, `read`, `readAll` and `useWrite`.
  const untyped = api.request as (...args: unknown[]) => Promise<Fetched<unknown>>;
  return untyped(method, path, init);
}

/** Sends a request. Returns the body of the response, as `dataOf`. Throws: ApiError. */
export const send = async <M extends Method, P extends Path<M>>(
  method: M,
  path: P,
  ...[input]: Args<Input<M, P>>
): Promise<Data<M, P>> => (await request(method, path, input)).data as Data<M, P>;

/** The query (React Query) for one GET request. Its key is made of the path and the input. */
export const read = <P extends Path<"get">, S = Data<"get", P>>(
  path: P,
  ...[input, options]: Args<Input<"get", P>, ReadOptions<Data<"get", P>, S>>
) =>
  queryOptions<Data<"get", P>, Error, S>({
    ...options,
    queryKey: [path, input],
    queryFn: async ({ signal }) => (await request("get", path, input, signal)).data as never,
  });

/** The query (React Query) for all pages of a list. */
export const readAll = <P extends Path<"get">, S = Data<"get", P>>(
  path: P,
  ...[input, options]: Args<Input<"get", P>, ReadOptions<Data<"get", P>, S>>
) =>
  queryOptions<Data<"get", P>, Error, S>({
    ...options,
    queryKey: [path, input, "all pages"],
    queryFn: async ({ signal }) => {
      const { query, ...rest }: AnyInput = input ?? {};
      const load = (page: object) =>
        request("get", path, { ...rest, query: { ...query, ...page } }, signal);
      return (await fetchAllPages(load as never)) as never;
    },
  });

/** A hook that returns the mutation (React Query) for a request, which takes the input of the request. */
export const useWrite = <M extends Exclude<Method, "get">, P extends Path<M>>(
  method: M,
  path: P,
  options?: Omit<UseMutationOptions<Data<M, P>, Error, Input<M, P>>, "mutationFn">,
) => useMutation({ ...options, mutationFn: (input) => send(method, path, ...([input] as never)) });

/**
 * As `useWrite`, for a deletion on the page of the item. `leave` opens another page before the mutation
 * ends, because a successful mutation refetches every query on the page, and the query of the deleted
 * item would fail.
 */
export const useDelete = <P extends Path<"delete">>(
  path: P,
  leave: () => unknown,
  options?: Omit<UseMutationOptions<void, Error, Input<"delete", P>>, "mutationFn">,
) =>
  useMutation({
    ...options,
    mutationFn: async (input) => {
      await request("delete", path, input);
      await leave();
    },
  });
