import json
import re
import subprocess
import unittest
import urllib.error
import urllib.request

PEOPLE = "/db/files:main/tables/people"


def adults_in(url):
    """The program under test: it knows an address and nothing of Twinbase."""
    body = json.dumps({"columns": ["name"], "filter": {"age": {"$ge": 21}}}).encode()
    request = urllib.request.Request(url + PEOPLE + "/query", data=body, method="POST")
    with urllib.request.urlopen(request) as answer:
        return [record["name"] for record in json.load(answer)["records"]]


class PeopleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = ["node_modules/.bin/twinbase", "serve", "--control", "--port", "0", "people.json"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.url = next(
            found[0] for line in cls.server.stdout if (found := re.search(r"http://[\d.:]+", line))
        )

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def setUp(self):
        self.send("POST", "/_twinbase/reset")

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, method=method)) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def test_adults(self):
        self.assertEqual(adults_in(self.url), ["Ada"])

    def test_a_birthday(self):
        self.send("PATCH", PEOPLE + "/data/bob", {"age": 21})
        self.assertEqual(adults_in(self.url), ["Ada", "Bob"])

    def test_a_fault(self):
        fault = {"on": {"operation": "queryTable"}, "answer": {"status": 503}}
        self.send("POST", "/_twinbase/faults", fault)
        with self.assertRaises(urllib.error.HTTPError) as raised:
            adults_in(self.url)
        self.assertEqual(raised.exception.code, 503)
        raised.exception.close()


if __name__ == "__main__":
    unittest.main()
