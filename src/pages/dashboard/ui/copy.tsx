import { useState } from 'preact/hooks';

const COPIED_MS = 1_500;

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  readonly subject?: string;
  readonly kind?: string;
  /** The key that does it, on the whole page. */
  readonly hotkey?: string | undefined;
}

export function CopyButton({ text, label = 'Copy', subject, kind = 'plain', hotkey }: CopyProps) {
  const [result, setResult] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser does not allow it',
    );
    setResult(done);
    setTimeout(() => setResult(null), COPIED_MS);
  };
  const name = subject === undefined ? undefined : `${label} ${subject}`;
  return (
    <button
      type="button"
      class={kind}
      aria-label={result ?? name}
      aria-keyshortcuts={hotkey}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{result ?? label}</span>
    </button>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} aria-label={label} role="region">
        {text}
      </pre>
      <CopyButton text={text} subject={label} />
    </div>
  );
}
