/**
 * Remembers, for each object, the last question about it and the answer. Objects in a cache are the same for as long as
 * they do not change, so what is worked out from one need be worked out only once. The same question must always have the
 * same answer.
 */
export function lastAnswers<Answer>(): (key: object, question: string, answer: () => Answer) => Answer {
  const known = new WeakMap<object, { readonly question: string; readonly answer: Answer }>();
  return (key, question, answer) => {
    const before = known.get(key);
    if (before?.question === question) return before.answer;
    const next = { question, answer: answer() };
    known.set(key, next);
    return next.answer;
  };
}
