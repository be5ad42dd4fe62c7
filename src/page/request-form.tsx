import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveField, LiveRequest } from '../cli/web/live-troupes.js';
import { DecideButton } from './decide-button.js';
import type { Decide } from './requests.js';

type Value = NonNullable<LiveField['default']>;
type Values = Readonly<Record<string, Value | undefined>>;

/** A question of an MCP server: a form to fill in, or a page to open. */
export function Form({
  request: { form = [], page, input },
  decide,
}: {
  readonly request: LiveRequest;
  readonly decide: Decide;
}) {
  const [values, setValues] = useState<Values>(
    Object.fromEntries(form.map(({ name, default: value }) => [name, value])),
  );
  const given = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  const accept = (): void =>
    decide({ behavior: 'allow', input: { action: 'accept', content: given } });
  return (
    <>
      <p>
        <b>
          <bdi>{unmistakable(String(input['serverName']))}</bdi>
        </b>
        : {unmistakable(String(input['message']))}
      </p>
      {page === undefined ? null : (
        <p>
          It wants you to open this page: <code>{unmistakable(page)}</code> What you type there goes
          to that page, not to Troupe.{' '}
          <a href={page} target="_blank" rel="noreferrer noopener">
            Open {unmistakable(new URL(page).host)}
          </a>
        </p>
      )}
      {form.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onValue={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <DecideButton isMain onDecide={accept}>
        {page === undefined ? 'Send the form' : 'I have opened it'}
      </DecideButton>
    </>
  );
}

function Field({
  field,
  value,
  onValue,
}: {
  readonly field: LiveField;
  readonly value: Value | undefined;
  readonly onValue: (value: Value | undefined) => void;
}) {
  const { kind, label, description, choices, isRequired } = field;
  const name = `${unmistakable(label)}${isRequired ? ' (required)' : ''}`;
  const hint = description === '' ? null : <small>{unmistakable(description)}</small>;
  if (kind === 'some of') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
    return (
      <div role="group" aria-label={name} class="question">
        <b>{name}</b> {hint}
        {choices.map((choice) => (
          <label key={choice.value} class="option">
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={({ currentTarget: { checked } }) => {
                const others = chosen.filter((one) => one !== choice.value);
                onValue(checked ? [...others, choice.value] : others);
              }}
            />
            <bdi>{unmistakable(choice.label)}</bdi>
          </label>
        ))}
      </div>
    );
  }
  return (
    <label class="words">
      <span>
        {name} {hint}
      </span>
      <Control field={field} value={value} onValue={onValue} />
    </label>
  );
}

const YES_OR_NO = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];

function Control({
  field: { kind, choices, isRequired },
  value,
  onValue,
}: {
  readonly field: LiveField;
  readonly value: Value | undefined;
  readonly onValue: (value: Value | undefined) => void;
}) {
  const take = (text: string): void => {
    if (text === '') return onValue(undefined);
    if (kind === 'yes or no') return onValue(text === 'true');
    onValue(kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text);
  };
  if (kind === 'one of' || kind === 'yes or no')
    return (
      <select
        required={isRequired}
        value={String(value ?? '')}
        onChange={(event) => take(event.currentTarget.value)}
      >
        <option value="">–</option>
        {(kind === 'one of' ? choices : YES_OR_NO).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {unmistakable(choice.label)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      required={isRequired}
      defaultValue={String(value ?? '')}
      onInput={(event) => take(event.currentTarget.value)}
    />
  );
}
