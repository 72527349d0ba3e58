/** What `npm run deploy -- --help` prints. */
export const DEPLOY_HELP = `Deploys the service to Cloudflare, or a new release of it.

  npm run deploy -- --env production     deploy an environment of wrangler.toml
  npm run deploy -- --dry-run            check and bundle every environment, without a network

Other arguments go to "wrangler deploy", such as --secrets-file <file>.

It creates, unless they exist
  the Worker with its crons and Durable Objects, a D1 database with read replication,
  a KV namespace, and the queues for webhook deliveries and usage with their dead-letter queues.
  It applies the migrations before it uploads the Worker. A failure before that changes nothing
  that users see.

It needs
  the Workers Paid plan, because of the CPU time of a password hash and of the limits of D1;
  "npx wrangler login", or CLOUDFLARE_API_TOKEN with these permissions:
    Account  Workers Scripts: Edit, Workers KV Storage: Edit, D1: Edit, Queues: Edit,
             Account Settings: Read
    Zone     Workers Routes: Edit (for a domain of your own)
    User     User Details: Read, Memberships: Read
  the secrets and PUBLIC_URL. It says what is missing, and how to set it.

It costs, without traffic
  the minimum of the Workers Paid plan (5 US dollars a month). Crons, database and KV stay within
  what the plan includes. "npm run scale" computes the bill for your traffic.

To go back
  npx wrangler rollback --env production     the code of the version before, with its variables
  The database stays as it is, and the release before works with it.

docs/run/operations.md has the details.
`;
