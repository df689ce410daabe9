import { withRules } from "@butler/resource";
import { z } from "zod";

/** A Kubernetes quantity in a field that takes text only, not numbers. */
export const quantityText = (): z.ZodString =>
  withRules(z.string().max(64), {
    rule: "isQuantity(self)",
    message: "must be a quantity such as 4, 500m or 16Gi",
  });
