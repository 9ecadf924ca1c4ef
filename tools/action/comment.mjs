// Writes a plan as a comment of the pull request, or updates the comment that an earlier run wrote.
import { readFileSync } from 'node:fs';

const { PLAN, AUTHOR, TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH } = process.env;
const body = readFileSync(PLAN, 'utf8');
const [marker] = body.split('\n');
const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
const number = event.pull_request?.number;
const comments = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;

try {
  if (number === undefined) console.log('::notice::There is no comment, because this is not a pull request.');
  else await comment();
} catch (error) {
  // The token of a fork's pull request is read-only.
  if (![401, 403].includes(error.status)) throw error;
  console.log(
    `::warning::The token may not write a comment (${error.message}). The plan is in the summary of the job.`,
  );
}

async function comment() {
  const earlier = await findEarlier();
  const [method, url] =
    earlier === undefined
      ? ['POST', `${comments}/${number}/comments`]
      : ['PATCH', `${comments}/comments/${earlier.id}`];
  const written = await request(method, url, { body });
  console.log(`${earlier === undefined ? 'Wrote' : 'Updated'} ${written.html_url}`);
}

/** Returns the comment with the marker on its first line; only one of the author counts. */
async function findEarlier() {
  for (let page = 1; ; page++) {
    const found = await request('GET', `${comments}/${number}/comments?per_page=100&page=${page}`);
    const own = found.find((one) => one.user?.login === AUTHOR && one.body?.split(/\r?\n/)[0] === marker);
    if (own !== undefined || found.length < 100) return own;
  }
}

async function request(method, url, content) {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (answer.ok) return answer.json();
  throw Object.assign(new Error(`${method} ${url}: ${answer.status}`), { status: answer.status });
}
