/** The part of the package `oidc-provider` that a test uses. The package has no types. */
declare module "oidc-provider" {
  import type { Server } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number): Server;
  }
}
