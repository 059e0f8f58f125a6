// In the browser: draws the report of the JSON that the program put into the page.
import { page_of, read_data } from "./report.mjs";

const put = (id) => document.getElementById(id)?.textContent;
const data = read_data(put("data"));
document.title = `${data.title} · Gradus`;
document.getElementById("report").innerHTML = page_of(data);
for (const frame of document.querySelectorAll("iframe.viewer")) frame.srcdoc = JSON.parse(put("viewer"));
