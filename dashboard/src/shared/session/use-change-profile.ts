import { useMutation } from "@tanstack/react-query";
import { send } from "../api/request.ts";
import type { Schemas } from "../api/types.ts";
import { updateUser } from "./update-session.ts";

/** Changes the signed-in user's account and updates the stored session. */
export function useChangeProfile() {
  return useMutation({
    mutationFn: async (body: Schemas["UpdateMe"]) => {
      const user = await send("put", "/api/v1/auth/me", { body });
      await updateUser(user);
      return user;
    },
  });
}
