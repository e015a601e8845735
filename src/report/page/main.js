/** Says in the page what could not be shown: readers seldom look into the console. */
function complain(what, error) {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.textContent = `${what}: ${error.message}`;
  document.querySelector("header").append(notice);
}

await showCharts().catch((error) => complain("The charts cannot be shown", error));
await showPlayback().catch((error) => complain("The animation cannot be shown", error));
document.body.dataset.ready = "yes";
