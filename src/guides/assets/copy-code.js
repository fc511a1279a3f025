// Adds a button to each block of code that copies it. The pages need no other script.
const shownMs = 2_000;

function addButton(block) {
  const frame = document.createElement("div");
  frame.className = "copyable";
  block.before(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.setAttribute("aria-live", "polite");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.innerText);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), shownMs);
  });
  frame.append(block, button);
}

// Browsers have a clipboard on https and on the own machine alone.
if (navigator.clipboard)
  for (const block of document.querySelectorAll("pre:not(.output)")) addButton(block);
