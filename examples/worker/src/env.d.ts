declare namespace Cloudflare {
  /** The bindings of wrangler.toml. */
  interface Env {
    FLAGS: import("@feature-flags/sdk/binding").FlagsBinding;
  }
}
