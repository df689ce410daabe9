import { useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { yamlTokens } from "./yaml-tokens.ts";

/** Props of a code block. */
export interface CodeBlockProps {
  readonly text: string;
  readonly language?: "yaml" | "plain";
  readonly label: string;
}

/** Text to read and copy, such as a manifest or a command. */
export function CodeBlock({ text, language = "yaml", label }: CodeBlockProps) {
  const [isCopied, setCopied] = useState(false);
  const shown = useRef<HTMLElement>(null);
  const copy = (): void => {
    // The clipboard needs a secure context. Otherwise the text is selected for manual copying.
    if (!("clipboard" in navigator)) {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      return;
    }
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <figure className="b-code">
      <pre tabIndex={0} aria-label={label}>
        <code ref={shown}>{language === "yaml" ? <Yaml text={text} /> : text}</code>
      </pre>
      <Button kind="quiet" shape="square" aria-label={isCopied ? "Copied" : `Copy: ${label}`} onClick={copy}>
        <Icon name={isCopied ? "check" : "copy"} />
      </Button>
    </figure>
  );
}

function Yaml({ text }: { readonly text: string }) {
  return text.split("\n").map((line, row) => (
    <span key={row}>
      {yamlTokens(line).map(({ kind, text: piece }, index) => (
        <span key={index} data-token={kind}>
          {piece}
        </span>
      ))}
      {"\n"}
    </span>
  ));
}
