/** A phrase that is not used, and what is written in its place. See docs/voice.md. */
export interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

function banned(source: string, instead: string): BannedPhrase {
  return { pattern: new RegExp(`\\b(?:${source})\\b`, "i"), instead };
}

/** Grows with each review that meets another one. */
export const bannedPhrases: readonly BannedPhrase[] = [
  banned("somebody|someone else's|anybody", "name the role or object: another user, a team admin, a controller"),
  banned("nobody", "no user, no member, no controller"),
  banned("whoever", "the user who, any client that"),
  banned("anew", "again, recreate, regenerate"),
  banned("(?:is|are|was|were|be|been) told", "is notified, is reported, receives; for config: is configured with"),
  banned("tells? of|tell of|telling of|told of", "reports, describes"),
  banned("speaks? against|stands? in the way|in the way", "blocks, prevents, Blocked by"),
  banned("come again|comes again", "retry, repeats"),
  banned("turned away", "denied, rejected"),
  banned("(?:goes|go|went) on by itself", "continues in the background, resumes automatically"),
  banned("by itself|by themselves", "automatically, on its own"),
  banned("what it takes|what is takes", "requirements, usage"),
  banned("broken off|breaks off|broke off|break off", "cancelled, interrupted, timed out"),
  banned("put right|puts right|puts? (?:it|them|that) right|putting right", "reconcile, fix, repair"),
  banned("let go|lets go|letting go|let go of|lets (?:it|them) go", "release, remove the finalizer, resume"),
  banned("take away|takes away|taken away|took away|takes? (?:it|them) away", "delete, remove"),
  banned("(?:is|are) like that|like that\\b[.,]? ?$", "matches, No matching …"),
  banned("there is no such thing|no such thing", "not found"),
  banned("nothing has been said|has been said about", "no conditions reported"),
  banned("is over|are over|was over", "has ended, has expired, has finished"),
  banned("is gone|are gone|was gone|were gone|has gone|have gone", "is deleted, was removed, no longer exists"),
  banned("begin anew|begins anew|made anew|make anew", "restart, recreate"),
  banned("has to do something", "action required"),
  banned("open to you|allowed to you", "permission denied; you don't have access to"),
  banned("again and again", "repeatedly, is crash-looping"),
  banned("spoken to|is not spoken", "connected to"),
  banned("(?:do|does|did) not go together", "cannot be combined"),
  banned("keeper|keepers", "name what it does: …Reconciler, syncs"),
  banned("for ever", "indefinitely, forever"),
  banned("gives? way|gave way", "yields, is throttled"),
  banned("as (?:it|they) should(?: be)?", "healthy, as specified"),
  banned("(?:is|are) well", "is healthy"),
  banned("looks? after|looked after|looking after", "manages, administers"),
  banned("hears? of|heard of", "receives, is notified of"),
  banned("takes? (?:it|them) in|taken in|taken up", "imports, picks up"),
  banned("gets? by with", "needs only"),
  banned("makes? do with", "uses"),
  banned("(?:has|have|had) (?:it|them) down as", "records"),
  banned("namesakes?", "an object of the same name"),
  banned("as good as new", "reset, clean"),
  banned("seen to\\b(?! be)", "verified to"),
  banned("comes? to rest", "settles, reaches a steady state"),
  banned("the house", "the code base, Butler"),
  banned("catalogues?", "catalog"),
  banned("e-mails?", "email"),
];
