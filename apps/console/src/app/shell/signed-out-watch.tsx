import { getMe } from "@butler/contract";
import { useEffect } from "react";
import { client } from "../../data/client.ts";
import { isSignedOut } from "../../data/error-facts.ts";
import { useLiveConnection } from "../../data/live.tsx";

/** Reloads the page once the session has ended, so that the user signs in and returns to the same page. */
export function SignedOutWatch() {
  const connection = useLiveConnection();
  useEffect(() => {
    if (connection !== "refused") return;
    client.call(getMe, {}).catch((error: unknown) => {
      if (isSignedOut(error)) location.reload();
    });
  }, [connection]);
  return undefined;
}
