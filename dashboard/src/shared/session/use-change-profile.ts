import { useMutation } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";
import type { Schemas } from "../api/types.ts";
import { updateUser } from "./update-session.ts";

/** Changes the signed-in user's account and updates the stored session. */
export function useChangeProfile() {
  return useMutation({
    mutationFn: async (body: Schemas["UpdateMe"]) => {
      const user = await dataOf(api.PUT("/api/v1/auth/me", { body }));
      await updateUser(user);
      return user;
    },
  });
}
