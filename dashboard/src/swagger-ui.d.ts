/** The package has no types; these are the options that the page uses. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    readonly dom_id: string;
    readonly url: string;
    readonly deepLinking: boolean;
    readonly docExpansion: "list" | "full" | "none";
    readonly persistAuthorization: boolean;
    readonly validatorUrl: string | null;
  }
  export default function SwaggerUI(options: Options): void;
}
