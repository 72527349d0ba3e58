import { createClient } from "@feature-flags/sdk";

const client = createClient({
  url: process.env["FLAGS_URL"] ?? "",
  key: process.env["FLAGS_SERVER_KEY"] ?? "",
});

/** Returns the colour of the checkout button for a user. */
export const buttonColour = (userId: string): string =>
  client.string("checkout-button", "#1155cc", { userId });
