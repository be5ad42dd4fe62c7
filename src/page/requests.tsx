import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveRequest } from '../cli/web/live-troupes.js';
import { Blocked, DecideButton } from './decide-button.js';
import { EditInput } from './edit-input.js';
import { FoldedLines } from './folded-lines.js';
import { Form } from './request-form.js';
import { Questions } from './request-questions.js';
import { Unchanged } from './unchanged.js';
import { attempt, chosenSession, live, notice, openSession, openTask, until } from './state.js';
import { age } from './words.js';

/** How long nothing can be decided after the requests have moved: a click was meant for the earlier request in that place. */
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
    <section id="requests" aria-label="Requests" class="requests" tabIndex={-1}>
      <h2 aria-live="polite">
        Requests ({requests.length}){until.value === undefined ? '' : ' of now'}
      </h2>
      {requests.length === 0 ? <p class="facts">Nothing needs you.</p> : null}
      {requests.map((request) => (
        <Request key={request.requestId} request={request} isSettled={isSettled} />
      ))}
    </section>
  );
}

export type Decide = (how: object) => void;

function Request({
  request,
  isSettled,
}: {
  readonly request: LiveRequest;
  readonly isSettled: boolean;
}) {
  const { requestId, kind, shown, path } = request;
  const [message, setMessage] = useState('');
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState('');
  const told = useRef('');
  useLayoutEffect(() => () => tellOfGone(requestId, told.current), []);
  const send = async (how: object): Promise<void> => {
    setSent(true);
    const said = message.trim() === '' ? {} : { message };
    const { isDone, text } = await attempt('/decide', { requestId, ...said, ...how });
    setSent(isDone);
    setProblem(isDone ? '' : text);
    told.current = isDone ? '' : text;
    if (!isDone) return tellOfGone(requestId, text);
    notice.value = text;
    document.getElementById('requests')?.focus(); // the button that has it is about to go
  };
  const decide: Decide = (how) => void send(how);
  const isAsked = kind === 'question' || kind === 'elicitation';
  const why = [
    ...shown.details,
    isAsked ? '' : shown.why,
    path === undefined ? '' : `Path: ${path}`,
  ];
  return (
    <article aria-label={unmistakable(shown.head)}>
      <h3>
        <bdi>{unmistakable(shown.head)}</bdi>
      </h3>
      <Origin request={request} />
      {isAsked ? null : (
        <Unchanged of={[requestId]} draw={() => <Blocks blocks={shown.blocks} />} />
      )}
      {why.filter(Boolean).map((line) => (
        <p key={line} class="why">
          {unmistakable(line)}
        </p>
      ))}
      <div class="decide">
        <Blocked.Provider value={isSent || !isSettled}>
          <Answers request={request} decide={decide} />
          <div class="refuse">
            <input
              aria-label={kind === 'plan' ? 'Feedback on the plan' : 'Words for the agent'}
              placeholder={kind === 'plan' ? 'Feedback on the plan' : 'Words for the agent'}
              value={message}
              onInput={(event) => setMessage(event.currentTarget.value)}
            />
            <DecideButton onDecide={() => decide({ behavior: 'deny' })}>
              {REFUSALS[kind] ?? 'Deny'}
            </DecideButton>
          </div>
        </Blocked.Provider>
      </div>
      {problem === '' ? null : <p role="alert">{unmistakable(problem)}</p>}
    </article>
  );
}

/** Show the reason why nothing was decided elsewhere if the request, which shows it, has gone: another approver was first. */
function tellOfGone(requestId: string, problem: string): void {
  const isThere = live.value.requests.some((one) => one.requestId === requestId);
  if (problem !== '' && !isThere) notice.value = problem;
}

const REFUSALS: Readonly<Record<string, string>> = {
  plan: 'Keep planning',
  question: 'Refuse',
  elicitation: 'Decline',
};

/** The age of a request, and the way to its agent. */
function Origin({ request: { at, session, cwd, taskId } }: { readonly request: LiveRequest }) {
  const isHere = session === chosenSession.value;
  const open = (): void => {
    if (isHere) openTask(taskId);
    else openSession(session, taskId);
  };
  return (
    <p class="facts">
      {age(Date.now() - at)} ago
      {isHere ? '' : ` in another session, in ${unmistakable(cwd)}`}
      {session === undefined ? null : (
        <>
          {' · '}
          <button type="button" class="link" onClick={open}>
            Open the agent
          </button>
        </>
      )}
    </p>
  );
}

function Answers({ request, decide }: { readonly request: LiveRequest; readonly decide: Decide }) {
  if (request.kind === 'question') return <Questions request={request} decide={decide} />;
  if (request.kind === 'elicitation') return <Form request={request} decide={decide} />;
  return <Choices request={request} decide={decide} />;
}

function Blocks({ blocks }: Pick<LiveRequest['shown'], 'blocks'>) {
  return (
    <>
      {blocks.map(({ title, lines }, index) => (
        <div key={index} class="block">
          {title === undefined ? null : <b>{unmistakable(title.text.trim())}</b>}
          <FoldedLines
            lines={lines.map(({ prefix, text, style = '' }) => {
              return { text: prefix.slice(4) + text, style };
            })}
            first={400}
            last={100}
          />
        </div>
      ))}
    </>
  );
}

function Choices({ request, decide }: { readonly request: LiveRequest; readonly decide: Decide }) {
  const { always, kind, input } = request;
  const [isEdited, setEdited] = useState(false);
  if (isEdited) return <EditInput input={input} decide={decide} onBack={() => setEdited(false)} />;
  const isPlan = kind === 'plan';
  return (
    <>
      <DecideButton isMain onDecide={() => decide({ behavior: 'allow' })}>
        {isPlan ? 'Approve' : 'Allow once'}
      </DecideButton>
      <button type="button" onClick={() => setEdited(true)}>
        Edit
      </button>
      {always.session === undefined ? null : (
        <DecideButton onDecide={() => decide({ behavior: 'allow', always: 'session' })}>
          {isPlan ? 'Approve, with' : 'Allow in this session:'} {unmistakable(always.session)}
        </DecideButton>
      )}
      {always.folder === undefined ? null : (
        <DecideButton onDecide={() => decide({ behavior: 'allow', always: 'folder' })}>
          Allow always in this folder, in its local settings: {unmistakable(always.folder)}
        </DecideButton>
      )}
    </>
  );
}
