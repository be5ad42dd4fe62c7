import { render } from 'preact';
import { unmistakable } from '../core/text/printable.js';
import { Board } from './board.js';
import { Budget } from './budget.js';
import { Panels } from './panels.js';
import { Requests } from './requests.js';
import { chosenSession, live, notice, openSession, sessions, view } from './state.js';
import { connection, takeToken } from './server.js';
import { Clock, Timeline } from './time.js';
import { Tree } from './tree.js';
import { clock } from './words.js';

function Room() {
  return (
    <>
      <header>
        <h1>Troupe</h1>
        <Sessions />
        <Clock />
        <span role="status" class={connection.value === 'open' ? 'connected' : 'lost'}>
          {statusText()}
        </span>
      </header>
      <p role="status" class="notice">
        {unmistakable(notice.value)}
      </p>
      <Problems lines={[...live.value.silent, ...view.value.damaged]} />
      <main>
        <Tree />
        <div class="middle">
          <Timeline />
          <Panels />
        </div>
        <aside>
          <Requests />
          <Budget />
          <Board />
        </aside>
      </main>
    </>
  );
}

/** Most problems that are shown in full. */
const MOST_PROBLEMS = 5;

function Problems({ lines }: { readonly lines: readonly string[] }) {
  const more = lines.length - MOST_PROBLEMS;
  return (
    <>
      {lines.slice(0, MOST_PROBLEMS).map((line, index) => (
        <p key={index} role="alert">
          {unmistakable(line)}
        </p>
      ))}
      {more > 0 ? <p role="alert">{more} more of this kind</p> : null}
    </>
  );
}

function statusText(): string {
  switch (connection.value) {
    case 'open':
      return `${live.value.troupes.length} running`;
    case 'lost':
      return 'connection lost, trying again';
    case 'refused':
      return 'not allowed: open the address that troupe web has printed';
    default:
      return connection.value satisfies never;
  }
}

function Sessions() {
  return (
    <label>
      Session
      <select
        value={chosenSession.value}
        onChange={(event) => openSession(event.currentTarget.value)}
      >
        {sessions.value.map(({ id, status, startedAt = 0, title, prompt = '' }) => (
          <option key={id} value={id}>
            {status} · {clock(startedAt)} · {unmistakable((title ?? prompt).slice(0, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}

takeToken();
addEventListener('hashchange', () => location.reload());
openSession(undefined);
render(<Room />, document.body);
