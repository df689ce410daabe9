import { getMe } from "@butler/contract";
import { useEffect } from "react";
import { client } from "../../data/client.ts";
import { isSignedOut } from "../../data/error-facts.ts";
import { useLiveConnection } from "../../data/live.tsx";

/** When the server says that the session is over, and it is, the page starts anew: at the sign-in, and then here again. */
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
