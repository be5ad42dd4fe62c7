import { useLayoutEffect, useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveRequest } from '../cli/web/live-troupes.js';
import { command, live } from './state.js';
import { age } from './words.js';

/** How long nothing can be decided after the requests have moved: a click was meant for what stood there before. */
const SETTLE_MS = 500;

/** The requests of all running troupes, oldest first. */
export function Requests() {
  const { requests } = live.value;
  const [isSettled, setSettled] = useState(false);
  const ids = requests.map(({ requestId }) => requestId).join();
  useLayoutEffect(() => {
    setSettled(false);
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ids]);
  return (
    <section aria-label="Requests" class="requests" aria-live="polite">
      <h2>Requests ({requests.length})</h2>
      {requests.length === 0 ? <p>No request waits.</p> : null}
      {requests.map((request) => (
        <Request key={request.requestId} request={request} isSettled={isSettled} />
      ))}
    </section>
  );
}

type Decide = (how: object) => void;

function Request({
  request,
  isSettled,
}: {
  readonly request: LiveRequest;
  readonly isSettled: boolean;
}) {
  const { requestId, shown, path, at } = request;
  const [message, setMessage] = useState('');
  const [isSent, setSent] = useState(false);
  const decide: Decide = (how) => {
    setSent(true);
    const said = message.trim() === '' ? {} : { message };
    void command('/decide', { requestId, ...said, ...how }, '').then((isDone) => setSent(isDone));
  };
  return (
    <article aria-label={unmistakable(shown.head)}>
      <h3>
        <bdi>{unmistakable(shown.head)}</bdi>
      </h3>
      {shown.blocks.map(({ title, lines }, index) => (
        <div key={index} class="block">
          {title === undefined ? null : <b>{unmistakable(title.text.trim())}</b>}
          <pre>
            {lines.map((line, number) => (
              <span key={number} class={line.style ?? ''}>
                {unmistakable(line.prefix.slice(4) + line.text)}
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      ))}
      <p>
        {unmistakable(shown.why)} <small>{age(Date.now() - at)} ago</small>
      </p>
      {path === undefined ? null : <p class="path">Path: {unmistakable(path)}</p>}
      <label>
        Words for the agent
        <input value={message} onInput={(event) => setMessage(event.currentTarget.value)} />
      </label>
      <fieldset disabled={isSent || !isSettled}>
        <legend>Decide</legend>
        {request.kind === 'question' ? (
          <Questions request={request} decide={decide} />
        ) : (
          <Choices request={request} decide={decide} />
        )}
        <button type="button" onClick={() => decide({ behavior: 'deny' })}>
          Deny
        </button>
      </fieldset>
    </article>
  );
}

function Choices({ request, decide }: { readonly request: LiveRequest; readonly decide: Decide }) {
  const { always, kind } = request;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  return (
    <>
      <button
        type="button"
        disabled={kind === 'elicitation' && draft === undefined}
        onClick={() => decide({ behavior: 'allow', ...edited(draft) })}
      >
        {draft === undefined ? (kind === 'plan' ? 'Approve' : 'Allow once') : 'Allow as edited'}
      </button>
      {always.session === undefined || draft !== undefined ? null : (
        <button type="button" onClick={() => decide({ behavior: 'allow', always: 'session' })}>
          Allow in this session: {unmistakable(always.session)}
        </button>
      )}
      {always.folder === undefined || draft !== undefined ? null : (
        <button type="button" onClick={() => decide({ behavior: 'allow', always: 'folder' })}>
          Allow always in this folder: {unmistakable(always.folder)}
        </button>
      )}
      {draft === undefined ? (
        <button type="button" onClick={() => setDraft(JSON.stringify(draftOf(request), null, 2))}>
          {kind === 'elicitation' ? 'Fill in the form' : 'Edit'}
        </button>
      ) : (
        <textarea
          aria-label="Input that runs instead, as JSON"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      )}
    </>
  );
}

/** The text to edit: the input, or the answer to a form of an MCP server. */
function draftOf({ kind, input }: LiveRequest): object {
  return kind === 'elicitation' ? { action: 'accept', content: {} } : input;
}

/** The field of a decision with an edited input; the server refuses what is no JSON object. */
function edited(draft: string | undefined): object {
  if (draft === undefined) return {};
  try {
    return { input: JSON.parse(draft) as unknown };
  } catch {
    return { input: draft };
  }
}

type Question = {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
};

function Questions({
  request,
  decide,
}: {
  readonly request: LiveRequest;
  readonly decide: Decide;
}) {
  const questions = (request.input['questions'] ?? []) as readonly Question[]; // checked when the agent asked
  const [answers, setAnswers] = useState<readonly string[]>(questions.map(() => ''));
  const set = (at: number, value: string): void =>
    setAnswers(answers.map((one, index) => (index === at ? value : one)));
  return (
    <>
      {questions.map(({ question, options }, at) => (
        <div key={at} role="group" aria-label={unmistakable(question)}>
          <b>{unmistakable(question)}</b>
          {options.map(({ label, description }, index) => (
            <button
              key={index}
              type="button"
              aria-pressed={answers[at] === String(index + 1)}
              onClick={() => set(at, String(index + 1))}
            >
              {unmistakable(label)}: {unmistakable(description)}
            </button>
          ))}
          <input
            aria-label={`Own words for: ${unmistakable(question)}`}
            value={/^\d+$/.test(answers[at] ?? '') ? '' : answers[at]}
            onInput={(event) => set(at, event.currentTarget.value)}
          />
        </div>
      ))}
      <button
        type="button"
        disabled={answers.some((one) => one.trim() === '')}
        onClick={() => decide({ behavior: 'allow', answers })}
      >
        Answer
      </button>
    </>
  );
}
