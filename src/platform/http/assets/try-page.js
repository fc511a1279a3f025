// Puts the header of the service above Swagger UI. What it holds is set in `pageHeader` before.
const header = document.createElement("header");
header.className = "page-header";
for (const [index, { title, address }] of pageHeader.entries()) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = title;
  if (index === 0) link.className = "name";
  header.append(link);
}
document.body.prepend(header);
