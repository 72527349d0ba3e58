import type { Provider } from "../../core/sign-on/provider.ts";

/** The part of the settings of the service that is about sign-on. */
export interface SignOnPort {
  /** Permits issuers with http on this machine. */
  readonly allowHttp: boolean;
  /** Whether every administrator may sign in with a password, whatever the settings say. */
  readonly breakGlass: boolean;
  /** The providers of the variable `SIGN_ON_PROVIDERS`, which the API cannot change. */
  readonly providers: readonly Provider[];
  /** Returns the client secret of the variable `SIGN_ON_SECRET_<SLUG>`; undefined if it is not set. */
  readonly secretOf: (slug: string) => string | undefined;
}
