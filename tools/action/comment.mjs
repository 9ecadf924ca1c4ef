// Writes a plan as a comment of the pull request, or updates the comment that an earlier run wrote. For GitHub, Gitea
// and GitLab; it needs no other file: node comment.mjs PLAN
import { readFileSync } from 'node:fs';

const { PLAN = process.argv[2], NAME = '', TOKEN, COMMENT = 'true' } = process.env;
const [, ...rest] = readFileSync(PLAN, 'utf8').split('\n');
const name = NAME.replace(/[^\w./]+/g, '-').replace(/--+/g, '-');
/** The first line. The name keeps the comments of several plans of one pull request apart. */
const marker = `<!-- render-rgd plan${name === '' ? '' : ` ${name}`} -->`;
const body = [marker, ...rest].join('\n');
const isUnchanged = rest[0] === '<!-- nothing changes -->';
const forge = process.env.CI_API_V4_URL === undefined ? github() : await gitlab();

try {
  if (forge.comments === undefined) console.log('::notice::There is no comment, because this is not a pull request.');
  else await comment();
} catch (error) {
  // The token of a fork's pull request is read-only.
  if (![401, 403].includes(error.status)) throw error;
  console.log(
    `::warning::The token may not write a comment (${error.message}). The plan is in the summary of the job.`,
  );
}

/** Gitea has the API of GitHub. */
function github() {
  const { AUTHOR, GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH } = process.env;
  const number = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8')).pull_request?.number;
  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  const accept = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  return {
    headers: { authorization: `Bearer ${TOKEN}`, ...accept },
    comments: number && `${issues}/${number}/comments`,
    update: (id) => ['PATCH', `${issues}/comments/${id}`],
    isOwn: ({ user }) => user?.login === AUTHOR,
  };
}

async function gitlab() {
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID } = process.env;
  const headers = { 'private-token': TOKEN };
  const notes = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  const user = await request('GET', `${CI_API_V4_URL}/user`, undefined, headers);
  return {
    headers,
    comments: CI_MERGE_REQUEST_IID && notes,
    update: (id) => ['PUT', `${notes}/${id}`],
    isOwn: ({ author }) => author?.id === user.id,
  };
}

async function comment() {
  const earlier = await findEarlier();
  if (earlier === undefined && isUnchanged && COMMENT === 'changes') return console.log('Nothing changes.');
  const [method, url] = earlier === undefined ? ['POST', forge.comments] : forge.update(earlier.id);
  const written = await request(method, url, { body });
  console.log(`${earlier === undefined ? 'Wrote' : 'Updated'} ${written.html_url ?? `comment ${written.id}`}`);
}

/** Returns the comment with the marker on its first line; only one of the author counts. */
async function findEarlier() {
  for (let page = 1, last; ; page++) {
    const found = await request('GET', `${forge.comments}?per_page=100&page=${page}`);
    const own = found.find((one) => forge.isOwn(one) && one.body?.split(/\r?\n/)[0] === marker);
    // Gitea has one page, whatever its number.
    if (own !== undefined || found.length < 100 || found[0].id === last) return own;
    last = found[0].id;
  }
}

async function request(method, url, content, headers = forge.headers) {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(content && { 'content-type': 'application/json' }) },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (answer.ok) return answer.json();
  throw Object.assign(new Error(`${method} ${url}: ${answer.status}`), { status: answer.status });
}
