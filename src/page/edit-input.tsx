import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveRequest } from '../cli/web/live-troupes.js';
import { DecideButton } from './decide-button.js';
import type { Decide } from './requests.js';

/** A field of an input while it is edited: a text as it is, and everything else as JSON. */
type Draft = { readonly name: string; readonly isText: boolean; readonly text: string };

/** The input of a request, a box for each of its fields. */
export function EditInput({
  input,
  decide,
  onBack,
}: {
  readonly input: LiveRequest['input'];
  readonly decide: Decide;
  readonly onBack: () => void;
}) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(
    Object.entries(input).map(([name, value]) => ({
      name,
      isText: typeof value === 'string',
      text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    })),
  );
  const wrong = drafts.filter((draft) => valueOf(draft) === undefined);
  return (
    <>
      {drafts.map(({ name, isText, text }, at) => (
        <label key={name} class="words">
          {unmistakable(name)}
          {isText ? '' : ' (JSON)'}
          <textarea
            value={text}
            rows={Math.min(12, text.split('\n').length)}
            aria-invalid={wrong.some((one) => one.name === name)}
            onInput={({ currentTarget: { value } }) =>
              setDrafts(drafts.map((one, index) => (index === at ? { ...one, text: value } : one)))
            }
          />
        </label>
      ))}
      <DecideButton
        isMain
        isUnready={wrong.length > 0}
        onDecide={() =>
          decide({
            behavior: 'allow',
            input: Object.fromEntries(drafts.map((draft) => [draft.name, valueOf(draft)])),
          })
        }
      >
        Allow as edited
      </DecideButton>
      <button type="button" onClick={onBack}>
        Back
      </button>
    </>
  );
}

/** The value of a field; undefined if it is no JSON. */
function valueOf({ isText, text }: Draft): unknown {
  if (isText) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
